-- What files occupy is bounded: the bytes of a file until it is processed, and the rows of it that were refused. The
-- counters say how much that is, so that no table has to be added up to know it.
alter table imports
  add column unprocessed_bytes bigint not null default 0,
  add column rows_failed_stored integer not null default 0,
  add column rows_failed_bytes bigint not null default 0;

update imports set unprocessed_bytes = file_bytes where state in ('receiving', 'waiting', 'running');
update imports set rows_failed_stored = rows_failed, rows_failed_bytes = (
    select coalesce(sum(octet_length(cells) + octet_length(faults)), 0) from import_faults
    where import_faults.account_id = imports.account_id and import_faults.import_id = imports.import_id
  )
  where rows_failed > 0;

create index imports_unprocessed on imports (account_id) where unprocessed_bytes > 0;
create index imports_with_failed_rows on imports (finished_at) where rows_failed_stored > 0;

-- Long cells, and the end of a long row, are not stored: such a row cannot be imported again as it stands here.
alter table import_faults add column is_truncated boolean not null default false;
