-- Accounts and their keys, dataset releases, orders and the entries that they post.
-- The account leads every key, so that tables can be distributed by account; text compares by code point everywhere.

create table accounts (
  account_id integer generated always as identity primary key,
  name text collate "C" not null unique check (name <> ''),
  created_at timestamptz not null default now()
);

-- A key is shown once; only its SHA-256 is kept.
create table api_keys (
  account_id integer not null references accounts,
  key_id integer generated always as identity,
  key_hash bytea not null check (length(key_hash) = 32),
  hint text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, key_id)
);
create index api_keys_by_hash on api_keys (key_hash);

-- The files that a release of the datasets consists of, so that an old order can always be recomputed.
create table dataset_releases (
  release_id smallint generated always as identity primary key,
  name text collate "C" not null unique,
  content_hash bytea not null check (length(content_hash) = 32),
  files bytea not null,
  first_used_at timestamptz not null default now()
);

-- An order is what was asked, once, for ever. Its lines are the milligrams that were answered, in the order's sequence.
-- Orders and entries have no foreign keys: they are written by one statement that joins them, never changed, and their
-- accounts and releases are never deleted. Checking that again would cost three look-ups for every order.
create table orders (
  account_id integer not null,
  release_id smallint not null,
  order_date date not null,
  tenure_start_date date not null,
  created_at timestamptz not null,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  country text,
  metadata text,
  items text not null,
  bases text[] not null,
  lines_mg bigint[] not null,
  primary key (account_id, customer_id, order_id)
);

-- An entry is milligrams posted to one device by one order, or to the order alone where the serial number is empty.
-- Entries are only ever added: a correction is another entry.
create table entries (
  account_id integer not null,
  entry_no smallint not null default 0,
  posted_at timestamptz not null,
  embodied_mg bigint not null,
  use_mg bigint not null,
  packaging_mg bigint not null,
  transportation_mg bigint not null,
  serial_number text collate "C" not null,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  primary key (account_id, serial_number, customer_id, order_id, entry_no)
);
