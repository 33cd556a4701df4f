-- A device is charged by the footprint of its last entry that has one: the first entry, or a later one of the device alone
-- that identifies it, or withdraws that.
create or replace view devices as
select account_id, serial_number, device_release_id as release_id, is_capped, footprint_id, weight_kg, product_id,
  match_method,
  (select sum(own.embodied_added_mg)::bigint from entries as own
    where own.account_id = charged.account_id and own.serial_number = charged.serial_number) as embodied_total_mg,
  (select sum(own.embodied_mg)::bigint from entries as own
    where own.account_id = charged.account_id and own.serial_number = charged.serial_number) as allocated_mg
from entries as charged
where order_key in ('', chr(31)) and footprint_id is not null and entry_no = (
  select max(own.entry_no) from entries as own
  where own.account_id = charged.account_id and own.serial_number = charged.serial_number
    and own.order_key in ('', chr(31)) and own.footprint_id is not null
);
