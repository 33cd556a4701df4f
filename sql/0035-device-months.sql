-- Reports count device-months from flags of their facts: what was rolled up without them is rolled up again.
delete from report_watermarks;
delete from fact_chunks;
