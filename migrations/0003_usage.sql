-- Usage ledger: prices, entries, balance.

-- Balance of each workspace. One without a row has the defaults of src/tenancy/usage/prices.ts and no limit.
create table usage_accounts (
  workspace_id uuid primary key references workspaces,
  currency text not null default 'USD',
  -- amount below zero to which the balance may go; null: no limit
  credit_limit numeric,
  low_balance_threshold numeric,
  topped_up numeric not null default 0,
  -- amounts that the roll-up has taken out of usage_deltas so far
  billed numeric not null default 0,
  simulated numeric not null default 0,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

-- Prices that the operator set; other kinds have the default.
create table prices (
  workspace_id uuid not null references workspaces,
  kind text not null,
  unit_price numeric not null,
  primary key (workspace_id, kind)
);

-- Payments that raised a balance.
create table top_ups (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  amount numeric not null,
  note text,
  -- the operator's own id of the payment: a repeat tops up nothing
  reference text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index top_ups_reference on top_ups (workspace_id, reference) where reference is not null;

-- The usage ledger: one entry for each thing that is billed.
create table usage_entries (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  quantity numeric not null,
  unit_price numeric not null,
  amount numeric not null,
  -- true for what the sandbox carried: the amount is what it would have cost, and nothing is billed
  simulated boolean not null,
  subject_type text not null,
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index usage_entries_subject on usage_entries (workspace_id, subject_id);
create index usage_entries_age on usage_entries (created_at);

-- Sums of ledger entries, a row for each statement that wrote some. Rows are only inserted, so writers never wait for
-- one another. The roll-up moves them into usage_days and usage_accounts; at every moment the sum of both is exact.
create table usage_deltas (
  workspace_id uuid not null,
  id uuid not null,
  day date not null,
  kind text not null,
  simulated boolean not null,
  entries integer not null,
  quantity numeric not null,
  amount numeric not null,
  primary key (workspace_id, id)
);

-- Usage of each UTC day.
create table usage_days (
  workspace_id uuid not null,
  day date not null,
  kind text not null,
  simulated boolean not null,
  entries bigint not null,
  quantity numeric not null,
  amount numeric not null,
  primary key (workspace_id, day, kind, simulated)
) with (fillfactor = 70);
