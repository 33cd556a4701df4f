-- PACT: the OAuth clients of customers, and the product footprints that were published to each customer.
create table pact_clients (
  account_id integer not null references accounts,
  client_no integer not null generated always as identity,
  client_id text collate "C" not null,
  -- SHA-256 of the secret. Access tokens are signed with it, so that they end with the client.
  secret_hash bytea not null check (length(secret_hash) = 32),
  customer_id text collate "C" not null,
  label text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- Where events are sent, and the client with which tokens are asked for there; null if none are sent.
  events_url text,
  events_client_id text,
  events_client_secret text,
  -- When the footprints of its customer were last compared with the ledgers without being asked for.
  compared_at timestamptz not null default '-infinity',
  primary key (account_id, client_no)
);
create unique index pact_clients_by_id on pact_clients (client_id);
create index pact_clients_by_customer on pact_clients (account_id, customer_id);

-- A footprint never changes; it is deprecated when another one replaces it.
create table pact_footprints (
  account_id integer not null references accounts,
  footprint_no integer not null generated always as identity,
  footprint_id uuid not null,
  customer_id text collate "C" not null,
  -- The product id (URN) of the rental or of the customer's year.
  product text collate "C" not null,
  -- SHA-256 of the content: a footprint with another digest replaces this one.
  digest bytea not null check (length(digest) = 32),
  -- The ProductFootprint without id, created, status and precedingPfIds.
  content jsonb not null,
  preceding_id uuid,
  created_at timestamptz not null,
  deprecated_at timestamptz,
  primary key (account_id, footprint_no)
);
create unique index pact_footprints_active on pact_footprints (account_id, customer_id, product)
  where deprecated_at is null;
create index pact_footprints_by_customer on pact_footprints (account_id, customer_id, footprint_no);
create unique index pact_footprints_by_id on pact_footprints (account_id, footprint_id);

-- Events for clients. One that says that footprints were published has their ids; an answer to a request has its filter.
create table pact_messages (
  account_id integer not null references accounts,
  message_no integer not null generated always as identity,
  client_no integer not null,
  event_id uuid not null,
  created_at timestamptz not null,
  -- The id of the client's request; null for an event that no request asked for.
  request_id text,
  filter jsonb,
  footprint_ids uuid[],
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_until timestamptz not null default '-infinity',
  primary key (account_id, message_no)
);
create index pact_messages_due on pact_messages (next_attempt_at);
