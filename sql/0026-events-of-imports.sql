-- The events that a file recorded, to undo them from the last one backwards.

create index events_by_import on events (account_id, import_id, event_no) where import_id is not null;
