-- Restatements: stored orders calculated again by other figures, first as a preview, and posted if that is applied.
-- `holder` processes one until `leased_until`, or else another process goes on with it.
create table restatements (
  account_id integer not null references accounts,
  restatement_id integer not null,
  scope text not null,
  figures text not null,
  reason text not null,
  state text not null default 'previewing'
    check (state in ('previewing', 'previewed', 'applying', 'applied', 'outdated', 'failed')),
  -- Whether the figures were found to be those of the preview, so that orders may be posted.
  is_checked boolean not null default false,
  digest text,
  document text,
  orders_total integer not null default 0,
  orders_done integer not null default 0,
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  finished_at timestamptz,
  key_hint text not null,
  key_label text not null,
  holder text,
  leased_until timestamptz,
  primary key (account_id, restatement_id)
);
create index restatements_to_do on restatements (created_at) where state in ('previewing', 'applying');

-- What a restatement changes: an order, or a year of a customer (with an empty order_id). Also orders in its scope that
-- cannot be restated.
create table restated_emissions (
  account_id integer not null,
  restatement_id integer not null,
  place integer not null,
  customer_id text not null,
  order_id text not null,
  year integer,
  before_mg bigint,
  difference_mg bigint not null,
  bridge text not null,
  -- Why the order stays as it is; null for a change.
  problem text,
  primary key (account_id, restatement_id, place)
);
create index restated_emissions_by_customer on restated_emissions (account_id, customer_id);
