-- How an account reads files with a certain header: settings that were stated once, under a name.
create table import_profiles (
  account_id integer not null references accounts,
  name text not null,
  header text not null,
  header_sha256 bytea not null,
  settings text not null,
  saved_at timestamptz not null default now(),
  primary key (account_id, name)
);
create index import_profiles_by_header on import_profiles (account_id, header_sha256);
