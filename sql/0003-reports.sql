-- What is reported of the ledgers, and what reports are signed with.

-- The Ed25519 key that an account's statements are signed with, made when the first one is asked for. The private key is
-- in PKCS #8: whoever reads this table, or a backup of it, can sign as the account.
create table statement_keys (
  account_id integer primary key,
  public_key bytea not null check (length(public_key) = 32),
  private_key bytea not null,
  created_at timestamptz not null default now()
);
