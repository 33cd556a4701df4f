-- Figures of an account's own: each change is a new version, and no version is ever changed.
alter table accounts add column figures_version integer not null default 0;

create table account_figures (
  account_id integer not null references accounts,
  kind text not null,
  figure_id text collate "C" not null,
  version integer not null,
  -- The account's figures_version from which on this version applies.
  figures_version integer not null,
  body jsonb not null,
  is_withdrawn boolean not null,
  created_at timestamptz not null,
  created_by_key integer,
  primary key (account_id, kind, figure_id, version)
);
create index account_figures_by_change on account_figures (account_id, figures_version);

-- What orders, entries and devices have as their release if figures of the account's own were laid over one: a number
-- below 0, for the release and all own figures of that version together.
create table account_releases (
  account_id integer not null references accounts,
  base_release_id smallint not null,
  figures_version integer not null,
  release_id smallint not null generated always as identity (increment by -1 minvalue -32768 maxvalue -1 start with -1),
  created_at timestamptz not null default now(),
  primary key (account_id, base_release_id, figures_version)
);
create index account_releases_by_id on account_releases (release_id);
