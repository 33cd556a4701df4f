-- What happened in an account, in one sequence, for clients that follow it, and the webhooks that send it to them.

-- What a statement recorded of one account and of one kind, in the transaction in which it happened. A subject has the
-- ids that it is rendered from, with chr(29) between them.
create table feed_outbox (
  account_id integer not null,
  outbox_no bigint not null generated always as identity,
  type text collate "C" not null,
  posted_at timestamptz not null,
  subjects text[] collate "C" not null check (cardinality(subjects) > 0),
  primary key (account_id, outbox_no)
);

-- The same with its place: the subjects have the positions up to `last_position`. One process at a time moves rows here,
-- so no row ever appears before one that could be read already.
create table feed (
  account_id integer not null,
  last_position bigint not null,
  type text collate "C" not null,
  posted_at timestamptz not null,
  subjects text[] collate "C" not null,
  primary key (account_id, last_position)
);

-- The last position given, whatever is deleted of the feed.
create table feed_heads (
  account_id integer not null,
  last_position bigint not null,
  primary key (account_id)
);

create table webhooks (
  account_id integer not null references accounts,
  webhook_id integer not null generated always as identity,
  url text not null,
  -- Empty for all types.
  types text[] not null,
  description text not null,
  is_enabled boolean not null default true,
  -- Why it was disabled otherwise than by a client.
  disabled_reason text check (disabled_reason in ('gone', 'attempts_exhausted')),
  secret bytea not null check (length(secret) = 32),
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  -- The position up to which its deliveries were made.
  delivered_until bigint not null,
  failures_in_a_row integer not null default 0,
  paused_until timestamptz not null default '-infinity',
  primary key (account_id, webhook_id)
);

create table webhook_deliveries (
  account_id integer not null,
  webhook_id integer not null,
  delivery_id bigint not null generated always as identity,
  -- In the feed; null for a test.
  position bigint,
  type text not null,
  created_at timestamptz not null,
  -- A hash of the order: its deliveries are sent one after the other. Null for what concerns no order.
  order_hash bigint,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'succeeded', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_owner text,
  lease_until timestamptz not null default '-infinity',
  attempted_at timestamptz,
  status integer,
  problem text,
  milliseconds integer,
  finished_at timestamptz,
  primary key (account_id, webhook_id, delivery_id)
);
create index webhook_deliveries_waiting on webhook_deliveries (account_id, webhook_id, order_hash, delivery_id)
  where state = 'waiting';
