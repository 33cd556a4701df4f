-- Distributes the tables by account with Citus: run it on the coordinator, after `cradle migrate`. Not run with Citus yet:
-- docs/operating.md. test/partitioned.test.ts compares it with the schema and with the statements of the service.

-- Citus refuses foreign keys between reference tables with identity columns.
alter table accounts drop constraint accounts_dataset_release_id_fkey;
alter table api_keys drop constraint api_keys_account_id_fkey;
alter table product_mappings drop constraint product_mappings_account_id_fkey;
alter table import_profiles drop constraint import_profiles_account_id_fkey;
alter table restatements drop constraint restatements_account_id_fkey;
alter table webhooks drop constraint webhooks_account_id_fkey;
alter table period_closings drop constraint period_closings_account_id_fkey;
alter table account_figures drop constraint account_figures_account_id_fkey;
alter table account_releases drop constraint account_releases_account_id_fkey;
alter table pact_clients drop constraint pact_clients_account_id_fkey;
alter table pact_messages drop constraint pact_messages_account_id_fkey;
alter table pact_footprints drop constraint pact_footprints_account_id_fkey;
alter table console_sessions drop constraint console_sessions_account_id_key_id_fkey;
alter table console_sessions drop constraint console_sessions_own_account_id_own_key_id_fkey;

select create_reference_table('accounts');
select create_reference_table('account_figures');
select create_reference_table('account_releases');
select create_reference_table('api_keys');
select create_reference_table('console_sessions');
select create_reference_table('dataset_releases');
select create_reference_table('erasures');
select create_reference_table('import_profiles');
select create_reference_table('pact_clients');
select create_reference_table('pact_footprints');
select create_reference_table('pact_messages');
select create_reference_table('period_closings');
select create_reference_table('statement_keys');
-- The processes that import files and roll up entries search them for all accounts.
select create_reference_table('imports');
select create_reference_table('report_watermarks');
select create_reference_table('restatements');
-- The process that gives places to events and sends them searches these for all accounts.
select create_reference_table('feed_outbox');
select create_reference_table('feed');
select create_reference_table('feed_heads');
select create_reference_table('webhooks');
select create_reference_table('webhook_deliveries');

select create_distributed_table('orders', 'account_id');
select create_distributed_table('entries', 'account_id', colocate_with => 'orders');
select create_distributed_table('events', 'account_id', colocate_with => 'orders');
select create_distributed_table('product_mappings', 'account_id', colocate_with => 'orders');
select create_distributed_table('import_chunks', 'account_id', colocate_with => 'orders');
select create_distributed_table('import_errors', 'account_id', colocate_with => 'orders');
select create_distributed_table('fact_chunks', 'account_id', colocate_with => 'orders');
select create_distributed_table('restated_emissions', 'account_id', colocate_with => 'orders');

-- A statement for one account runs on one machine unchanged. These have batches of several accounts or, the last row,
-- search the imports of all accounts:
--
-- | statement | with Citus, according to its documentation |
-- |---|---|
-- | find-orders, find-entries, find-entries-since, find-ledgers-at-creation | a join with the rows that are sent: runs on all machines |
-- | append-entries | one statement changes several tables and takes the lock of books_closed_until: runs in parts from the coordinator |
-- | insert-new-orders | a correlated subquery over the rows that are sent: rejected |
-- | lock-devices-wait, lock-devices-skip | `for update` on several machines: rejected |
-- | delete-expired-uploads, delete-import, fail-imports, delete-rejected-rows | one statement changes two tables: runs in parts from the coordinator |
