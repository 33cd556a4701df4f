-- What becomes of warnings about orders and events: they are reported (warn) or refused like errors (refuse).
alter table accounts add column strictness text not null default 'warn' check (strictness in ('warn', 'refuse'));

-- How many days after today an event may have happened. Null for no limit, as for accounts of earlier versions.
alter table accounts add column days_ahead_max integer check (days_ahead_max >= 0);

-- Warnings about the orders of a file, grouped by kind and column, as JSON.
alter table imports add column warnings text not null default '[]';
