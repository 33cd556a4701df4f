-- Reports: what was posted, folded into chunks of facts in columns, and up to when.

-- What was posted lately is found by its time. Entries come in the sequence of their times, so that a summary of each
-- stretch of the table is enough: a post writes nothing more for it.
create index entries_by_posting on entries using brin (posted_at) with (pages_per_range = 16, autosummarize = on);

-- All entries of an account that were posted until then are in its chunks, and no other.
create table report_marks (
  account_id integer not null primary key,
  folded_until timestamptz not null
);

-- Facts in the sequence in which they were posted; the last chunk is written anew until it is full. The days (counted
-- from 1970-01-01) between which its facts lie tell whether it is worth reading.
create table report_chunks (
  account_id integer not null,
  chunk_no integer not null,
  facts integer not null,
  order_from integer not null,
  order_to integer not null,
  dispatch_from integer not null,
  dispatch_to integer not null,
  tenure_from integer not null,
  tenure_to integer not null,
  -- src/reports/chunk.ts
  content bytea not null,
  primary key (account_id, chunk_no)
);
alter table report_chunks alter column content set storage external;

-- The Ed25519 key that an account's statements are signed with, made when the first one is asked for. The private key is
-- in PKCS #8: whoever reads this table, or a backup of it, can sign as the account.
create table statement_keys (
  account_id integer primary key,
  public_key bytea not null check (length(public_key) = 32),
  private_key bytea not null,
  created_at timestamptz not null default now()
);
