-- Calls that people place to our numbers: rows like any other, but answered and never dialled.
alter table call_rows add column direction text not null default 'OUTBOUND';
-- The carrier's id of a call that came in: a repeat of it is the same call.
alter table call_rows add column inbound_call_id text;
-- A call that came in waits for no dial, whatever goes wrong with it.
alter table call_rows add constraint call_rows_inbound_never_dialled
  check (direction = 'OUTBOUND' or status not in ('QUEUED', 'WAITING_FOR_RETRY'));
create unique index call_rows_inbound on call_rows (workspace_id, phone_number_id, inbound_call_id)
  where inbound_call_id is not null;
create index call_rows_inbound_live on call_rows (workspace_id, phone_number_id)
  where direction = 'INBOUND' and ended_at is null;

-- What a provider reports of a message names the provider's id of it, and not always ours.
create index chat_messages_sent on chat_messages (workspace_id, provider_message_id)
  where provider_message_id is not null and role <> 'USER';

-- Reports that came before the provider's id of their message was known here; folded when it is. Nothing personal.
create table early_reports (
  workspace_id uuid not null references workspaces,
  provider_message_id text not null,
  status text not null,
  error json,
  received_at timestamptz not null default now(),
  primary key (workspace_id, provider_message_id)
);
