-- What many facts have in common stands in a chunk once (docs/decisions/0017-reports.md). What was folded is forgotten, and
-- reports read the entries until it is folded anew.
delete from report_chunks;
delete from report_marks;
