-- When an operator made a release available; null for one that is or was shipped with the program.
alter table dataset_releases add column installed_at timestamptz;
-- The release with which an account's new orders are made; null for the newest.
alter table accounts add column dataset_release_id smallint references dataset_releases;
