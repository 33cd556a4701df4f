-- Files of orders: what was sent, how far it was read, and the rows that were refused.

-- Where an order came by file, so that a file can be undone, and a number be followed to its row.
alter table orders add column import_id integer, add column import_row integer;

-- The settings and what they were detected by are the client's to read again; the counters say how far it has come.
create table imports (
  account_id integer not null,
  import_id integer not null,
  state text collate "C" not null default 'receiving'
    check (state in ('receiving', 'waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  is_dry_run boolean not null,
  file_name text,
  file_bytes bigint not null default 0,
  file_sha256 bytea,
  settings text,
  detected text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- The process that works on it, and until when nobody else may; far in the past where nobody does.
  holder text collate "C",
  held_until timestamptz not null default '-infinity',
  -- The rows up to this one are dealt with: what follows is read again by whoever goes on.
  row_done integer not null default 0,
  rows_read integer not null default 0,
  bytes_read bigint not null default 0,
  orders_stored integer not null default 0,
  orders_replayed integer not null default 0,
  orders_failed integer not null default 0,
  rows_failed integer not null default 0,
  emission_mg bigint not null default 0,
  working_ms bigint not null default 0,
  -- JSON: members of orders that nobody asked for.
  ignored text not null default '[]',
  orders_undone integer not null default 0,
  orders_kept integer not null default 0,
  problem text,
  primary key (account_id, import_id)
);

-- A file while it is worked on, in pieces of one size before they are compressed, so that any place in it is found.
create table import_pieces (
  account_id integer not null,
  import_id integer not null,
  piece_no integer not null,
  content bytea not null,
  primary key (account_id, import_id, piece_no)
);
alter table import_pieces alter column content set storage external;

-- The rows of a file that were not stored, as they were written, with what is wrong with them.
create table import_faults (
  account_id integer not null,
  import_id integer not null,
  row_no integer not null,
  cells text not null,
  faults text not null,
  primary key (account_id, import_id, row_no)
);
