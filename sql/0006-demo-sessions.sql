-- A session that looks at a demo fleet knows the key of the own account that it came from, to which it leads back.

alter table console_sessions
  add column own_account_id integer,
  add column own_key_id integer,
  add check ((own_account_id is null) = (own_key_id is null)),
  add foreign key (own_account_id, own_key_id) references api_keys;
