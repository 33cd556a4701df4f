-- Keys that say what they are for and when they were used, and accounts that hold a demo fleet.

alter table api_keys
  add column label text not null default '',
  -- To the minute, whichever process served it: docs/decisions/21-demo-fleet.md stands beside docs/decisions/20-keys.md.
  add column last_used_at timestamptz;

-- An account whose orders are made up, beside the account that it was made for; loaded when all of them are posted.
alter table accounts
  add column demo_of integer unique,
  add column demo_loaded_at timestamptz;
