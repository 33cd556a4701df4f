-- Corrections count in the months that they correct, as far as these lie after their posting (docs/decisions/0017-reports.md).
-- Facts are of another form for it: what was folded is forgotten, and reports read the entries until it is folded anew.
delete from report_chunks;
delete from report_marks;
