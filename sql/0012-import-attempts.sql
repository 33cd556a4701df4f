-- Claims of an import since its last checkpoint that did not end in order: after three it is given up.
alter table imports add column attempts integer not null default 0;

-- When a file of the account was last worked on: the account that waited longest is next.
alter table accounts add column imports_served_at timestamptz not null default '-infinity';

-- The few that are being sent, wait, or are worked on, among all that ever were.
create index imports_open on imports (account_id) where state in ('receiving', 'waiting', 'running', 'undoing');
