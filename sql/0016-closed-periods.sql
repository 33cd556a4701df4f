-- From which day on an entry counts in reporting periods: null for all days that it concerns. Earlier entries keep what
-- they were counted by: an order in the months that it concerns, everything later from the day of its posting on.
alter table entries add column counts_from date;
update entries set counts_from = (posted_at at time zone 'UTC')::date
where order_id <> '' and reason not in ('order', 'swapped_in', 'reversal') and not (serial_number = '' and entry_no = 1);

-- An entry is spread over the months until the end of its rental, as known when it was posted. Earlier entries that set
-- the terms of a rental were spread over all months agreed, also if another rental had the device before their end.
alter table entries add column spread_until_end boolean not null default false;
alter table entries alter column spread_until_end set default true;

-- Each time the books of an account were closed or reopened. They are closed for all days before the `closed_until` of
-- the last row; they are open for all if it is null or there is no row.
create table period_closings (
  account_id integer not null,
  closing_no integer not null,
  closed_until date,
  kind text not null check (kind in ('closed', 'reopened', 'upgraded')),
  recorded_at timestamptz not null,
  key_hint text,
  reason text,
  primary key (account_id, closing_no),
  foreign key (account_id) references accounts
);

-- What reports and statements of an account have shown stays: its books are closed for the days before this release.
insert into period_closings (account_id, closing_no, closed_until, kind, recorded_at)
select account_id, 1, (now() at time zone 'UTC')::date, 'upgraded', date_trunc('milliseconds', now())
from accounts where exists (select from orders where orders.account_id = accounts.account_id);

-- Reports are rolled up again: entries that cancel an order are one row now, not two.
delete from fact_chunks;
delete from report_watermarks;

-- The day from which on an entry counts that is posted now. The lock is shared by everything that posts, until it is
-- committed; whoever closes the books takes it alone, and so waits for entries that were posted by the day before.
-- The function is volatile, so that it reads what was committed while it waited for the lock.
create function books_closed_until(account integer) returns date language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(1668440420, account);
  return (select closed_until from period_closings where account_id = account order by closing_no desc limit 1);
end $$;
