-- From how many percent of a customer's year on corrections recorded after its closing propose a restatement.
alter table accounts add column restatement_threshold_percent double precision not null default 5
  check (restatement_threshold_percent between 0 and 100);
