-- Facts state how far series of grid factors are apart, which the intervals of reports need. They are rolled up again.

delete from fact_chunks;
delete from report_watermarks;
