-- Sessions of the console: a browser signs in once with a key, and is known by a cookie from then on.

-- The cookie holds 256 random bits, of which the database knows the hash alone; the scopes are those of the key.
create table console_sessions (
  account_id integer not null,
  session_hash bytea not null check (length(session_hash) = 32),
  key_id integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, session_hash),
  foreign key (account_id, key_id) references api_keys
);
create index console_sessions_by_hash on console_sessions (session_hash);
