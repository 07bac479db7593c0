-- Accounts of carriers (Twilio, Telnyx, Vonage). Settings may be read; secrets are sealed as one JSON object for this row.
create table carrier_accounts (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  provider text not null,
  label text not null,
  settings json not null,
  secrets bytea not null,
  -- ACTIVE, or FAILED with what the carrier said: its numbers are not dialled from until a check succeeds
  status text not null,
  status_message text,
  calls_per_second numeric not null,
  -- when the next call may be dialled: one row's update is the pace of all nodes
  next_dial_at timestamptz not null default now(),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index carrier_accounts_id on carrier_accounts (id);

alter table phone_numbers add column carrier_account_id uuid;
-- The carrier's id of the number, and whether we bought it: only then is it given back when it is released.
alter table phone_numbers add column external_id text;
alter table phone_numbers add column was_bought boolean not null default false;
-- Who suspended it: the OPERATOR, or the CARRIER (it refused calls, or its account failed).
alter table phone_numbers add column suspended_by text;
-- Calls a second from this number; null: as its account's.
alter table phone_numbers add column calls_per_second numeric;
alter table phone_numbers add column next_dial_at timestamptz not null default now();
-- What the carrier says it can do, as a list; null: as numbers of its provider usually can.
alter table phone_numbers add column capabilities json;
-- When it was ordered from the carrier. An order is never repeated: what became of it is looked up.
alter table phone_numbers add column ordered_at timestamptz;
-- It stopped because its account failed, so it goes on when the account works again.
alter table phone_numbers add column stopped_with_account boolean not null default false;
