-- Names of tables, columns, indexes and values in the words of the field. No row changes in content but those that hold a
-- value with a new name: what an import took back, and imports themselves.

alter table orders rename column bases to footprint_ids;
alter table orders rename column found_by to match_methods;
alter table orders rename column lines_mg to line_emissions_mg;
alter index orders_changed rename to orders_not_created;

drop view devices;
alter table entries rename column put_in_mg to embodied_added_mg;
alter table entries rename column basis to footprint_id;
alter table entries rename column found_by to match_method;
alter index devices_guessed rename to devices_by_matched_product;
alter index entries_by_posting rename to entries_by_posted_at;
alter index entries_beyond rename to entries_of_long_ledgers;

-- A device as its entries have it: its footprint, what is embodied in it, and what of that is allocated to rentals.
create view devices as
select account_id, serial_number, device_release_id as release_id, is_capped, footprint_id, weight_kg, product_id,
  match_method,
  (
    select sum(embodied_added_mg)::bigint from entries as own
    where own.account_id = first.account_id and own.serial_number = first.serial_number
  ) as embodied_total_mg,
  (
    select sum(embodied_mg)::bigint from entries as own
    where own.account_id = first.account_id and own.serial_number = first.serial_number
  ) as allocated_mg
from entries as first
where order_key = '' and entry_no = 1;

alter table events rename column told_no to event_no;

alter table report_chunks rename to fact_chunks;
alter table fact_chunks rename constraint report_chunks_pkey to fact_chunks_pkey;
alter table fact_chunks rename column order_from to min_order_day;
alter table fact_chunks rename column order_to to max_order_day;
alter table fact_chunks rename column dispatch_from to min_dispatch_day;
alter table fact_chunks rename column dispatch_to to max_dispatch_day;
alter table fact_chunks rename column tenure_from to min_tenure_day;
alter table fact_chunks rename column tenure_to to max_tenure_day;
alter table report_marks rename to report_watermarks;
alter table report_watermarks rename constraint report_marks_pkey to report_watermarks_pkey;
alter table report_watermarks rename column folded_until to rolled_up_until;

alter table import_pieces rename to import_chunks;
alter table import_chunks rename constraint import_pieces_pkey to import_chunks_pkey;
alter table import_chunks rename column piece_no to chunk_no;
alter table import_faults rename to import_errors;
alter table import_errors rename constraint import_faults_pkey to import_errors_pkey;
alter table import_errors rename column faults to errors;

alter table imports rename column holder to lease_owner;
alter table imports rename column held_until to lease_until;
alter table imports rename column row_done to last_row;
alter table imports rename column orders_undone to orders_reversed;
alter table imports rename column orders_failed to orders_rejected;
alter table imports rename column rows_failed to rows_rejected;
alter table imports rename column rows_failed_stored to rows_rejected_stored;
alter table imports rename column rows_failed_bytes to rows_rejected_bytes;
alter index imports_with_failed_rows rename to imports_with_rejected_rows;

alter table imports drop constraint imports_state_check;
drop index imports_open;
update imports set state = case state
    when 'receiving' then 'uploading' when 'waiting' then 'queued' when 'done' then 'succeeded'
    when 'undoing' then 'reversing' when 'undone' then 'reversed' else state
  end;
alter table imports alter column state set default 'uploading',
  add constraint imports_state_check
    check (state in ('uploading', 'queued', 'running', 'succeeded', 'failed', 'reversing', 'reversed'));
create index imports_open on imports (account_id) where state in ('uploading', 'queued', 'running', 'reversing');

update orders set status = 'reversed' where status = 'undone';
update entries set reason = 'reversal' where reason = 'undone';
-- Quotation marks within a text of JSON stand behind a backslash: this finds the member alone.
update events set content = replace(content, '"type":"undone"', '"type":"reversed"')
  where content like '%"type":"undone"%';
