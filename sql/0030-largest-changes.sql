-- The orders that a restatement changes most, which are read each time somebody looks at it.
create index restated_emissions_by_size on restated_emissions (account_id, restatement_id, abs(difference_mg) desc, place)
  where year is null and problem is null;
