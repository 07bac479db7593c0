-- Numbers to call from, and the carrier accounts that they belong to.

-- Accounts with carriers (Twilio, Telnyx, Vonage). Settings are readable; secrets are sealed as one JSON object for
-- each row.
create table carrier_accounts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  provider text not null,
  label text not null,
  settings json not null,
  secrets bytea not null,
  -- ACTIVE, or FAILED with the carrier's message: its numbers are not dialled from until a check succeeds
  status text not null,
  status_message text,
  calls_per_second numeric not null,
  -- when the next call may be dialled: the update of one row paces all nodes
  next_dial_at timestamptz not null default now(),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index carrier_accounts_id on carrier_accounts (id);

-- Numbers to call from: concurrency, pace, health.
create table phone_numbers (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  number text not null,
  provider text not null,
  label text,
  status text not null,
  status_message text,
  max_concurrent_calls integer not null,
  -- Calls that hold a slot. There is no check against the maximum: READ COMMITTED tests a check on the stale row
  -- version before it re-reads the locked one, which gives false violations (measured).
  active_calls integer not null default 0,
  served_at timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The provider that the number was requested from. `provider` is the one that carries its calls: in a SANDBOX
  -- workspace that is always the sandbox, because such a workspace never reaches a carrier.
  asked_provider text not null default 'SANDBOX',
  -- trunk of a BYO_SIP number, without its password, which is sealed in sip_secret
  sip_trunk json,
  sip_secret bytea,
  -- flow that answers people who call the number or write to it; null: the workspace's default flow
  inbound_flow_id uuid,
  carrier_account_id uuid,
  -- The carrier's id of the number, and whether we bought it: only then a release gives it back.
  external_id text,
  was_bought boolean not null default false,
  -- OPERATOR, or CARRIER when it refused calls or its account failed
  suspended_by text,
  -- calls a second from this number; null: as its account's
  calls_per_second numeric,
  next_dial_at timestamptz not null default now(),
  -- list of what the carrier says the number can do; null: as numbers of its provider usually can
  capabilities json,
  -- When it was ordered from the carrier. An order is never repeated: its outcome is looked up.
  ordered_at timestamptz,
  -- It stopped because its account failed, so it resumes when the account works again.
  stopped_with_account boolean not null default false,
  primary key (workspace_id, id),
  unique (workspace_id, number)
) with (fillfactor = 50);
-- An account that fails stops its numbers; one that works again resumes them.
create index phone_numbers_account on phone_numbers (workspace_id, carrier_account_id)
  where carrier_account_id is not null;
