create table account_figures (
  account_id integer not null,
  kind text not null,
  figure_id text collate "C" not null,
  version integer not null,
  figures_version integer not null,
  body jsonb not null,
  is_withdrawn boolean not null,
  created_at timestamp with time zone not null,
  created_by_key integer,
  constraint account_figures_pkey PRIMARY KEY (account_id, kind, figure_id, version),
  constraint account_figures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX account_figures_by_change ON public.account_figures USING btree (account_id, figures_version);

create table account_releases (
  account_id integer not null,
  base_release_id smallint not null,
  figures_version integer not null,
  release_id smallint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  constraint account_releases_pkey PRIMARY KEY (account_id, base_release_id, figures_version),
  constraint account_releases_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX account_releases_by_id ON public.account_releases USING btree (release_id);

create table accounts (
  account_id integer not null generated always as identity,
  name text collate "C" not null,
  amortisation text not null default 'capped'::text,
  mappings_version integer not null default 0,
  created_at timestamp with time zone not null default now(),
  demo_of integer,
  demo_facts integer,
  demo_loaded_at timestamp with time zone,
  imports_served_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  strictness text not null default 'warn'::text,
  days_ahead_max integer,
  restatement_threshold_percent double precision not null default 5,
  dataset_release_id smallint,
  figures_version integer not null default 0,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint accounts_demo_of_key UNIQUE (demo_of),
  constraint accounts_name_key UNIQUE (name),
  constraint accounts_dataset_release_id_fkey FOREIGN KEY (dataset_release_id) REFERENCES dataset_releases(release_id),
  constraint accounts_amortisation_check CHECK ((amortisation = ANY (ARRAY['capped'::text, 'uncapped'::text]))),
  constraint accounts_days_ahead_max_check CHECK ((days_ahead_max >= 0)),
  constraint accounts_name_check CHECK ((name <> ''::text)),
  constraint accounts_restatement_threshold_percent_check CHECK (((restatement_threshold_percent >= (0)::double precision) AND (restatement_threshold_percent <= (100)::double precision))),
  constraint accounts_strictness_check CHECK ((strictness = ANY (ARRAY['warn'::text, 'refuse'::text])))
);

create table api_keys (
  account_id integer not null,
  key_id integer not null generated always as identity,
  key_hash bytea not null,
  hint text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  label text not null default ''::text,
  last_used_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (account_id, key_id),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint api_keys_scopes_check CHECK ((cardinality(scopes) > 0))
);
CREATE INDEX api_keys_by_hash ON public.api_keys USING btree (key_hash, COALESCE(expires_at, 'infinity'::timestamp with time zone)) WHERE (revoked_at IS NULL);

create table console_sessions (
  account_id integer not null,
  session_hash bytea not null,
  key_id integer not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  own_account_id integer,
  own_key_id integer,
  constraint console_sessions_pkey PRIMARY KEY (account_id, session_hash),
  constraint console_sessions_account_id_key_id_fkey FOREIGN KEY (account_id, key_id) REFERENCES api_keys(account_id, key_id),
  constraint console_sessions_own_account_id_own_key_id_fkey FOREIGN KEY (own_account_id, own_key_id) REFERENCES api_keys(account_id, key_id),
  constraint console_sessions_check CHECK (((own_account_id IS NULL) = (own_key_id IS NULL))),
  constraint console_sessions_session_hash_check CHECK ((length(session_hash) = 32))
);
CREATE INDEX console_sessions_by_hash ON public.console_sessions USING btree (session_hash);

create table dataset_releases (
  release_id smallint not null generated always as identity,
  name text collate "C" not null,
  content_hash bytea not null,
  files bytea not null,
  first_used_at timestamp with time zone not null default now(),
  installed_at timestamp with time zone,
  constraint dataset_releases_pkey PRIMARY KEY (release_id),
  constraint dataset_releases_name_key UNIQUE (name),
  constraint dataset_releases_content_hash_check CHECK ((length(content_hash) = 32))
);

create table entries (
  account_id integer not null,
  entry_no integer not null,
  posted_at timestamp with time zone not null,
  embodied_mg bigint not null,
  use_mg bigint not null,
  packaging_mg bigint not null,
  transportation_mg bigint not null,
  embodied_added_mg bigint not null,
  release_id smallint not null,
  device_release_id smallint,
  start_date date,
  end_date date,
  is_capped boolean,
  serial_number text collate "C" not null,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  order_key text collate "C" not null generated always as (
CASE
    WHEN ((serial_number <> ''::text) AND (entry_no = 1)) THEN ''::text
    ELSE ((customer_id || chr(31)) || order_id)
END) stored,
  reason text not null,
  months text,
  country text,
  event_id text collate "C",
  cause_customer_id text collate "C",
  cause_order_id text collate "C",
  footprint_id text,
  weight_kg text,
  product_id text collate "C",
  match_method text collate "C",
  counts_from date,
  spread_until_end boolean not null default true,
  in_force_reason text,
  in_force_event_id text collate "C",
  constraint entries_pkey PRIMARY KEY (account_id, serial_number, order_key, entry_no)
);
CREATE INDEX devices_by_matched_product ON public.entries USING btree (account_id, product_id) WHERE (product_id IS NOT NULL);
CREATE INDEX devices_by_similar_serial ON public.entries USING btree (account_id, lower(regexp_replace(serial_number, '[\s\u00a0\u2007\u202f\u3000]+'::text, ''::text, 'g'::text))) WHERE ((entry_no = 1) AND (order_key = ''::text) AND (serial_number ~ '[\s\u00a0\u2007\u202f\u3000]|[a-z].*[A-Z]|[A-Z].*[a-z]'::text));
CREATE INDEX entries_by_posted_at ON public.entries USING brin (posted_at) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX entries_of_long_ledgers ON public.entries USING btree (account_id, serial_number, entry_no) WHERE (entry_no > 250);

create table erasures (
  account_id integer not null,
  erasure_no integer not null,
  kind text not null,
  recorded_at timestamp with time zone not null,
  key_hint text,
  counts text not null,
  constraint erasures_pkey PRIMARY KEY (account_id, erasure_no),
  constraint erasures_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'account'::text])))
);

create table events (
  account_id integer not null,
  event_no bigint not null generated always as identity,
  posted_at timestamp with time zone not null,
  event_id text collate "C" not null,
  customer_id text collate "C",
  order_id text collate "C",
  serial_number text collate "C",
  content text not null,
  key_hint text,
  key_label text,
  import_id integer,
  constraint events_pkey PRIMARY KEY (account_id, event_id),
  constraint events_check CHECK ((((key_hint IS NULL) = (key_label IS NULL)) AND ((key_hint IS NULL) OR (import_id IS NULL))))
);
CREATE INDEX events_by_import ON public.events USING btree (account_id, import_id, event_no) WHERE (import_id IS NOT NULL);
CREATE INDEX events_by_order ON public.events USING btree (account_id, customer_id, order_id) WHERE (order_id IS NOT NULL);

create table fact_chunks (
  account_id integer not null,
  chunk_no integer not null,
  facts integer not null,
  min_order_day integer not null,
  max_order_day integer not null,
  min_dispatch_day integer not null,
  max_dispatch_day integer not null,
  min_tenure_day integer not null,
  max_tenure_day integer not null,
  content bytea not null,
  constraint fact_chunks_pkey PRIMARY KEY (account_id, chunk_no)
);

create table feed (
  account_id integer not null,
  last_position bigint not null,
  type text collate "C" not null,
  posted_at timestamp with time zone not null,
  subjects text[] collate "C" not null,
  constraint feed_pkey PRIMARY KEY (account_id, last_position)
);

create table feed_heads (
  account_id integer not null,
  last_position bigint not null,
  constraint feed_heads_pkey PRIMARY KEY (account_id)
);

create table feed_outbox (
  account_id integer not null,
  outbox_no bigint not null generated always as identity,
  type text collate "C" not null,
  posted_at timestamp with time zone not null,
  subjects text[] collate "C" not null,
  constraint feed_outbox_pkey PRIMARY KEY (account_id, outbox_no),
  constraint feed_outbox_subjects_check CHECK ((cardinality(subjects) > 0))
);

create table import_chunks (
  account_id integer not null,
  import_id integer not null,
  chunk_no integer not null,
  content bytea not null,
  constraint import_chunks_pkey PRIMARY KEY (account_id, import_id, chunk_no)
);

create table import_errors (
  account_id integer not null,
  import_id integer not null,
  row_no integer not null,
  cells text not null,
  errors text not null,
  is_truncated boolean not null default false,
  constraint import_errors_pkey PRIMARY KEY (account_id, import_id, row_no)
);

create table import_profiles (
  account_id integer not null,
  name text not null,
  header text not null,
  header_sha256 bytea not null,
  settings text not null,
  saved_at timestamp with time zone not null default now(),
  constraint import_profiles_pkey PRIMARY KEY (account_id, name),
  constraint import_profiles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX import_profiles_by_header ON public.import_profiles USING btree (account_id, header_sha256);

create table imports (
  account_id integer not null,
  import_id integer not null,
  state text collate "C" not null default 'uploading'::text,
  is_dry_run boolean not null,
  file_name text,
  file_bytes bigint not null default 0,
  file_sha256 bytea,
  settings text,
  detected text,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  lease_owner text collate "C",
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  last_row integer not null default 0,
  rows_read integer not null default 0,
  bytes_read bigint not null default 0,
  orders_stored integer not null default 0,
  orders_replayed integer not null default 0,
  orders_rejected integer not null default 0,
  rows_rejected integer not null default 0,
  emission_mg bigint not null default 0,
  working_ms bigint not null default 0,
  ignored text not null default '[]'::text,
  orders_reversed integer not null default 0,
  orders_kept integer not null default 0,
  problem text,
  attempts integer not null default 0,
  unprocessed_bytes bigint not null default 0,
  rows_rejected_stored integer not null default 0,
  rows_rejected_bytes bigint not null default 0,
  warnings text not null default '[]'::text,
  constraint imports_pkey PRIMARY KEY (account_id, import_id),
  constraint imports_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'reversing'::text, 'reversed'::text])))
);
CREATE INDEX imports_open ON public.imports USING btree (account_id) WHERE (state = ANY (ARRAY['uploading'::text, 'queued'::text, 'running'::text, 'reversing'::text]));
CREATE INDEX imports_unprocessed ON public.imports USING btree (account_id) WHERE (unprocessed_bytes > 0);
CREATE INDEX imports_with_rejected_rows ON public.imports USING btree (finished_at) WHERE (rows_rejected_stored > 0);

create table orders (
  account_id integer not null,
  release_id smallint not null,
  order_date date not null,
  tenure_start_date date not null,
  created_at timestamp with time zone not null,
  status text collate "C" not null default 'created'::text,
  customer_id text collate "C" not null,
  order_id text collate "C" not null,
  country text,
  metadata text,
  items text not null,
  footprint_ids text not null,
  match_methods text not null,
  line_emissions_mg text not null,
  import_id integer,
  import_row integer,
  warnings text,
  constraint orders_pkey PRIMARY KEY (account_id, order_id, customer_id)
);
CREATE INDEX orders_by_customer ON public.orders USING btree (((account_id + 0)), customer_id);
CREATE INDEX orders_by_date ON public.orders USING btree (((account_id + 0)), order_date);
CREATE INDEX orders_not_created ON public.orders USING btree (account_id, status) WHERE (status <> 'created'::text);

create table pact_clients (
  account_id integer not null,
  client_no integer not null generated always as identity,
  client_id text collate "C" not null,
  secret_hash bytea not null,
  customer_id text collate "C" not null,
  label text not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  events_url text,
  events_client_id text,
  events_client_secret text,
  compared_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint pact_clients_pkey PRIMARY KEY (account_id, client_no),
  constraint pact_clients_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint pact_clients_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE INDEX pact_clients_by_customer ON public.pact_clients USING btree (account_id, customer_id);
CREATE UNIQUE INDEX pact_clients_by_id ON public.pact_clients USING btree (client_id);

create table pact_footprints (
  account_id integer not null,
  footprint_no integer not null generated always as identity,
  footprint_id uuid not null,
  customer_id text collate "C" not null,
  product text collate "C" not null,
  digest bytea not null,
  content jsonb not null,
  preceding_id uuid,
  created_at timestamp with time zone not null,
  deprecated_at timestamp with time zone,
  constraint pact_footprints_pkey PRIMARY KEY (account_id, footprint_no),
  constraint pact_footprints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint pact_footprints_digest_check CHECK ((length(digest) = 32))
);
CREATE UNIQUE INDEX pact_footprints_active ON public.pact_footprints USING btree (account_id, customer_id, product) WHERE (deprecated_at IS NULL);
CREATE INDEX pact_footprints_by_customer ON public.pact_footprints USING btree (account_id, customer_id, footprint_no);
CREATE UNIQUE INDEX pact_footprints_by_id ON public.pact_footprints USING btree (account_id, footprint_id);

create table pact_messages (
  account_id integer not null,
  message_no integer not null generated always as identity,
  client_no integer not null,
  event_id uuid not null,
  created_at timestamp with time zone not null,
  request_id text,
  filter jsonb,
  footprint_ids uuid[],
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint pact_messages_pkey PRIMARY KEY (account_id, message_no),
  constraint pact_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX pact_messages_due ON public.pact_messages USING btree (next_attempt_at);

create table period_closings (
  account_id integer not null,
  closing_no integer not null,
  closed_until date,
  kind text not null,
  recorded_at timestamp with time zone not null,
  key_hint text,
  reason text,
  constraint period_closings_pkey PRIMARY KEY (account_id, closing_no),
  constraint period_closings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint period_closings_kind_check CHECK ((kind = ANY (ARRAY['closed'::text, 'reopened'::text, 'upgraded'::text])))
);

create table product_mappings (
  account_id integer not null,
  product_id text collate "C" not null,
  model_id text collate "C",
  device_type text,
  version integer not null,
  created_at timestamp with time zone not null,
  constraint product_mappings_pkey PRIMARY KEY (account_id, product_id),
  constraint product_mappings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint product_mappings_check CHECK (((model_id IS NULL) OR (device_type IS NULL)))
);
CREATE INDEX product_mappings_changed ON public.product_mappings USING btree (account_id, version);

create table report_watermarks (
  account_id integer not null,
  rolled_up_until timestamp with time zone not null,
  constraint report_watermarks_pkey PRIMARY KEY (account_id)
);

create table restated_emissions (
  account_id integer not null,
  restatement_id integer not null,
  place integer not null,
  customer_id text not null,
  order_id text not null,
  year integer,
  before_mg bigint,
  difference_mg bigint not null,
  bridge text not null,
  problem text,
  problem_message text,
  is_refused boolean not null default false,
  constraint restated_emissions_pkey PRIMARY KEY (account_id, restatement_id, place)
);
CREATE INDEX restated_emissions_by_customer ON public.restated_emissions USING btree (account_id, customer_id);
CREATE INDEX restated_emissions_by_size ON public.restated_emissions USING btree (account_id, restatement_id, abs(difference_mg) DESC, place) WHERE ((year IS NULL) AND (problem IS NULL));
CREATE INDEX restated_emissions_of_years ON public.restated_emissions USING btree (account_id, restatement_id, place) WHERE (year IS NOT NULL);
CREATE INDEX restated_emissions_with_problems ON public.restated_emissions USING btree (account_id, restatement_id, place) WHERE (problem IS NOT NULL);

create table restatements (
  account_id integer not null,
  restatement_id integer not null,
  scope text not null,
  figures text not null,
  reason text not null,
  state text not null default 'previewing'::text,
  is_checked boolean not null default false,
  digest text,
  document text,
  orders_total integer not null default 0,
  orders_done integer not null default 0,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, clock_timestamp()),
  finished_at timestamp with time zone,
  key_hint text not null,
  key_label text not null,
  holder text,
  leased_until timestamp with time zone,
  orders_refused integer not null default 0,
  interruptions integer not null default 0,
  last_error text,
  last_error_at timestamp with time zone,
  constraint restatements_pkey PRIMARY KEY (account_id, restatement_id),
  constraint restatements_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint restatements_state_check CHECK ((state = ANY (ARRAY['previewing'::text, 'previewed'::text, 'applying'::text, 'applied'::text, 'outdated'::text, 'failed'::text])))
);
CREATE INDEX restatements_to_do ON public.restatements USING btree (created_at) WHERE (state = ANY (ARRAY['previewing'::text, 'applying'::text]));

create table statement_keys (
  account_id integer not null,
  public_key bytea not null,
  private_key bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint statement_keys_pkey PRIMARY KEY (account_id),
  constraint statement_keys_public_key_check CHECK ((length(public_key) = 32))
);

create table webhook_deliveries (
  account_id integer not null,
  webhook_id integer not null,
  delivery_id bigint not null generated always as identity,
  "position" bigint,
  type text not null,
  created_at timestamp with time zone not null,
  order_hash bigint,
  state text collate "C" not null default 'waiting'::text,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null,
  lease_owner text,
  lease_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  attempted_at timestamp with time zone,
  status integer,
  problem text,
  milliseconds integer,
  finished_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (account_id, webhook_id, delivery_id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (account_id, webhook_id, order_hash, delivery_id) WHERE (state = 'waiting'::text);

create table webhooks (
  account_id integer not null,
  webhook_id integer not null generated always as identity,
  url text not null,
  types text[] not null,
  description text not null,
  is_enabled boolean not null default true,
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamp with time zone,
  created_at timestamp with time zone not null,
  delivered_until bigint not null,
  failures_in_a_row integer not null default 0,
  paused_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (account_id, webhook_id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'attempts_exhausted'::text]))),
  constraint webhooks_secret_check CHECK ((length(secret) = 32))
);

create view devices as
 SELECT account_id,
    serial_number,
    device_release_id AS release_id,
    is_capped,
    footprint_id,
    weight_kg,
    product_id,
    match_method,
    ( SELECT sum(own.embodied_added_mg)::bigint AS sum
           FROM entries own
          WHERE own.account_id = charged.account_id AND own.serial_number = charged.serial_number) AS embodied_total_mg,
    ( SELECT sum(own.embodied_mg)::bigint AS sum
           FROM entries own
          WHERE own.account_id = charged.account_id AND own.serial_number = charged.serial_number) AS allocated_mg
   FROM entries charged
  WHERE (order_key = ANY (ARRAY[''::text, chr(31)])) AND footprint_id IS NOT NULL AND entry_no = (( SELECT max(own.entry_no) AS max
           FROM entries own
          WHERE own.account_id = charged.account_id AND own.serial_number = charged.serial_number AND (own.order_key = ANY (ARRAY[''::text, chr(31)])) AND own.footprint_id IS NOT NULL));

CREATE OR REPLACE FUNCTION public.books_closed_until(account integer)
 RETURNS date
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(1668440420, account);
  if not exists (select from accounts where account_id = account) then
    raise foreign_key_violation using message = 'The account was deleted';
  end if;
  return (select closed_until from period_closings where account_id = account order by closing_no desc limit 1);
end $function$;
