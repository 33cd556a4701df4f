-- Each erasure of names in an account, without the names: of a customer, or of the account itself, whose number is never
-- used again. So this table refers to no account.
create table erasures (
  account_id integer not null,
  erasure_no integer not null,
  kind text not null check (kind in ('customer', 'account')),
  recorded_at timestamptz not null,
  key_hint text,
  counts text not null,
  primary key (account_id, erasure_no)
);

-- The lock is taken by everything that posts. What was under way when the account was deleted is refused here, as by a
-- foreign key: otherwise it would leave rows of an account that is not there.
create or replace function books_closed_until(account integer) returns date language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(1668440420, account);
  if not exists (select from accounts where account_id = account) then
    raise foreign_key_violation using message = 'The account was deleted';
  end if;
  return (select closed_until from period_closings where account_id = account order by closing_no desc limit 1);
end $$;
