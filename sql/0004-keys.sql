-- Keys that say what they are for and when they were used, and accounts that hold a demo fleet.

alter table api_keys
  add column label text not null default '',
  -- Behind by up to two minutes: what is told of a key's use is written once a minute, by whichever process serves it.
  add column last_used_at timestamptz;

-- An account whose orders are made up, beside the account that it was made for: how many facts it is to have, and when
-- all of them were there.
alter table accounts
  add column demo_of integer unique,
  add column demo_facts integer,
  add column demo_loaded_at timestamptz;
