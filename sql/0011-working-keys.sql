-- A key that expired or was revoked is passed over in the index, as one that never was: its row, once read, took some
-- microseconds more, which told whoever sent it that it had been a key.
drop index api_keys_by_hash;
create index api_keys_by_hash on api_keys (key_hash, (coalesce(expires_at, 'infinity'::timestamptz)))
  where revoked_at is null;
