-- Addresses that take leads, each to be called once. The token is part of the address; its digest is here.
create table lead_sources (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  active boolean not null,
  token_hash bytea not null unique,
  flow_id uuid,
  -- null: the workspace's default number
  from_number text,
  retry_config json not null,
  calling_window json,
  start_at timestamptz,
  delay_seconds integer not null,
  -- paths in the deliveries, by what they are of a call
  mapping json not null,
  -- country of numbers without one, repeats, limit of a day, consent
  rules json not null,
  signature_kind text not null,
  signature_header text,
  signing_secret bytea,
  -- token bucket of the deliveries
  tokens double precision not null,
  refilled_at timestamptz not null default now(),
  granted boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- What arrived there. An erasure empties the personal columns and keeps the keys, so that a repeat still dials nobody.
create table lead_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  status text not null,
  -- why it was refused, or what it repeats
  reason text,
  message text,
  -- id of the delivery, as its sender names it
  delivery_key text,
  external_id text,
  customer_number text,
  consent text,
  -- the call that it became, or that of the delivery that it repeats
  row_id uuid,
  content_type text,
  body text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, source_id) references lead_sources on delete cascade
);
create index lead_deliveries_newest on lead_deliveries (workspace_id, source_id, id);
create unique index lead_deliveries_key on lead_deliveries (workspace_id, source_id, delivery_key) where status = 'QUEUED';
create index lead_deliveries_external_id on lead_deliveries (workspace_id, source_id, external_id) where status = 'QUEUED';
create index lead_deliveries_number on lead_deliveries (workspace_id, customer_number);
create index lead_deliveries_age on lead_deliveries (created_at);
