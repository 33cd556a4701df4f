-- The entries of long journals by their numbers: what is new of one is read without the rest, and who has one is found
-- without looking at all entries. Most devices have a handful of entries, and none in here.
create index entries_beyond on entries (account_id, serial_number, entry_no) where entry_no > 250;
