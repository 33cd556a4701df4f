-- Accounts and their keys, dataset releases, orders, what happens to them, and the ledgers of their devices.
-- The account leads every key, so that tables can be distributed by account; text compares by code point everywhere.

create table accounts (
  account_id integer generated always as identity primary key,
  name text collate "C" not null unique check (name <> ''),
  -- How the devices that the account rents from now on are charged; each device keeps what it began with.
  amortisation text not null default 'capped' check (amortisation in ('capped', 'uncapped')),
  -- Counts the changes to the account's mappings, so that every process sees from its key when to read them again.
  mappings_version integer not null default 0,
  created_at timestamptz not null default now()
);

-- What an account says that its own product ids are: a model, or a type of device without one; neither where a mapping
-- was taken back, which is kept so that others come to know of it.
create table product_mappings (
  account_id integer not null references accounts,
  product_id text collate "C" not null,
  model_id text collate "C",
  device_type text,
  version integer not null,
  created_at timestamptz not null,
  primary key (account_id, product_id),
  check (model_id is null or device_type is null)
);
create index product_mappings_changed on product_mappings (account_id, version);

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

-- An order is what was asked, once, for ever, and the milligrams of each line that was answered. Its status alone
-- follows what happens to it. Orders, devices and entries have no foreign keys: they are written by one statement that
-- joins them, and their accounts and releases are never deleted. Checking that again would cost look-ups for every order.
create table orders (
  account_id integer not null,
  release_id smallint not null,
  order_date date not null,
  tenure_start_date date not null,
  created_at timestamptz not null,
  status text collate "C" not null default 'created',
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  country text,
  metadata text,
  -- JSON whose names are short (src/http/stored-item.ts): they would take more than what they name.
  items text not null,
  -- Lists whose members stand between control characters, since an array takes 24 bytes before its first member.
  bases text not null,
  -- How each product was found: by its model, by the account's mapping and to what, by an alias, by a guess.
  found_by text not null,
  lines_mg text not null,
  primary key (account_id, customer_id, order_id)
);
-- For lists of some days. Orders mostly arrive in the sequence of their days, so that a summary of each stretch of the
-- table tells which are worth reading: it costs a posted order nothing, where an index of days would cost a tenth.
create index orders_by_date on orders using brin (order_date) with (pages_per_range = 16, autosummarize = on);
create index orders_changed on orders (account_id, status, customer_id, order_id) where status <> 'created';

-- What a device is charged by, fixed by its first order, and its balance: what was put in, and what of it was posted.
-- The balance is kept for convenience and can be rebuilt from the entries. The row is what writers of a device lock.
create table devices (
  account_id integer not null,
  release_id smallint not null,
  is_capped boolean not null,
  whole_mg bigint not null,
  posted_mg bigint not null,
  serial_number text collate "C" not null,
  basis text not null,
  weight_kg text,
  -- Where the basis is a guess, or what the account maps its product id to: the product id, and how it was found.
  product_id text collate "C",
  found_by text collate "C",
  primary key (account_id, serial_number)
);

create index devices_guessed on devices (account_id, product_id) where product_id is not null;

-- An entry is milligrams posted to one device by one order for one reason, or to the order alone where the serial number
-- is empty, or a fact about the device alone where the order is. Entries are only ever added: a correction is another
-- entry. An entry that sets the terms of a rental bears them.
create table entries (
  account_id integer not null,
  entry_no integer not null,
  posted_at timestamptz not null,
  embodied_mg bigint not null,
  use_mg bigint not null,
  packaging_mg bigint not null,
  transportation_mg bigint not null,
  release_id smallint not null,
  start_date date,
  end_date date,
  serial_number text collate "C" not null,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  reason text not null,
  months text,
  country text,
  event_id text collate "C",
  cause_customer_id text collate "C",
  cause_order_id text collate "C",
  primary key (account_id, serial_number, customer_id, order_id, entry_no)
);

-- What was told of an order or a device, once for each id that the client gave it.
create table events (
  account_id integer not null,
  -- Tells the sequence of two events of one order that became known in the same millisecond.
  told_no bigint generated always as identity,
  posted_at timestamptz not null,
  event_id text collate "C" not null,
  customer_id text collate "C",
  order_id text collate "C",
  serial_number text collate "C",
  content text not null,
  primary key (account_id, event_id)
);
create index events_by_order on events (account_id, customer_id, order_id) where order_id is not null;
