-- What is in force after a withdrawal: the reason and the event whose terms of the rental count again, or, for an event of
-- the device, the retirement or loss that still counts. Both are null for every other entry.
alter table entries add column in_force_reason text;
alter table entries add column in_force_event_id text collate "C";
