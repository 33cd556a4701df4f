-- Who recorded an event: a key, by its hint and label, which are copied as those of closings are; or an import. All are
-- null for what was recorded before, and in a demo fleet.
alter table events
  add column key_hint text,
  add column key_label text,
  add column import_id integer,
  add check ((key_hint is null) = (key_label is null) and (key_hint is null or import_id is null));
