-- What a device is charged by stands in the first entry of its journal, whose key does without the order's ids. Both
-- tables are written anew, which takes about as long as restoring them from a backup.

alter table entries rename to earlier_entries;
alter table earlier_entries rename constraint entries_pkey to earlier_entries_pkey;
drop index entries_by_posting;

-- An entry is milligrams posted to one device by one order for one reason, or to the order alone where the serial number
-- is empty, or a fact about the device alone where the order is. Entries are only ever added, and none is ever changed: a
-- correction is another entry. One that sets the terms of a rental bears them; the first of a device, what that is charged
-- by. The row of the first one is what writers of a device lock.
create table entries (
  account_id integer not null,
  -- Counts the entries of one device, or those of one order alone.
  entry_no integer not null,
  posted_at timestamptz not null,
  embodied_mg bigint not null,
  use_mg bigint not null,
  packaging_mg bigint not null,
  transportation_mg bigint not null,
  -- What there is more of to give to rentals: of a first entry all that the device embodies, of others a refurbishment.
  put_in_mg bigint not null,
  release_id smallint not null,
  device_release_id smallint,
  start_date date,
  end_date date,
  is_capped boolean,
  serial_number text collate "C" not null,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  -- The order, for the key; neither id has control characters. Of most entries that would be half of the index: the first
  -- of a device has an empty one.
  order_key text collate "C" not null generated always as (
    case when serial_number <> '' and entry_no = 1 then '' else customer_id || chr(31) || order_id end
  ) stored,
  reason text not null,
  months text,
  country text,
  event_id text collate "C",
  cause_customer_id text collate "C",
  cause_order_id text collate "C",
  -- What the device is charged by, fixed by its first order; its weight where that is charged.
  basis text,
  weight_kg text,
  -- Where the basis is a guess, or what the account maps its product id to: the product id, and how it was found.
  product_id text collate "C",
  found_by text collate "C",
  primary key (account_id, serial_number, order_key, entry_no)
);

-- In the sequence of their times, which is what entries_by_posting sums up. What was put into a device later on is known
-- in all only: it stands with the first entry.
insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg, put_in_mg,
  release_id, device_release_id, start_date, end_date, is_capped, serial_number, customer_id, order_id, reason, months,
  country, event_id, cause_customer_id, cause_order_id, basis, weight_kg, product_id, found_by)
select earlier.account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
  coalesce(whole_mg, 0), earlier.release_id, devices.release_id, start_date, end_date, is_capped, earlier.serial_number,
  customer_id, order_id, reason, months, country, event_id, cause_customer_id, cause_order_id, basis, weight_kg,
  product_id, found_by
from earlier_entries as earlier
left join devices on entry_no = 1 and devices.account_id = earlier.account_id
  and devices.serial_number = earlier.serial_number
order by posted_at;

drop table earlier_entries;
drop table devices;

create index entries_by_posting on entries using brin (posted_at) with (pages_per_range = 16, autosummarize = on);
create index devices_guessed on entries (account_id, product_id) where product_id is not null;

-- A device as its entries have it: what it is charged by, what was put into it, and what of that was posted.
create view devices as
select account_id, serial_number, device_release_id as release_id, is_capped, basis, weight_kg, product_id, found_by,
  (
    select sum(put_in_mg)::bigint from entries as own
    where own.account_id = first.account_id and own.serial_number = first.serial_number
  ) as whole_mg,
  (
    select sum(embodied_mg)::bigint from entries as own
    where own.account_id = first.account_id and own.serial_number = first.serial_number
  ) as posted_mg
from entries as first
where order_key = '' and entry_no = 1;
