-- Orders that the preview changes and that could not be posted, and what interrupted a restatement last.
alter table restatements
  add column orders_refused integer not null default 0,
  add column interruptions integer not null default 0,
  -- A code of `last_error`, as in responses, and when it happened; null if nothing did.
  add column last_error text,
  add column last_error_at timestamptz;

-- The code and values of `problem`, as JSON; null in those of earlier versions.
alter table restated_emissions
  add column problem_message text,
  -- True for an order that the preview changes and that could not be posted.
  add column is_refused boolean not null default false;

-- `place` begins with the orders: years and problems are looked up without reading them.
create index restated_emissions_of_years on restated_emissions (account_id, restatement_id, place)
  where year is not null;
create index restated_emissions_with_problems on restated_emissions (account_id, restatement_id, place)
  where problem is not null;
