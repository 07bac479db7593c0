-- People whose erasure goes on in a task, until it is done. Their number is neither dialled nor written to meanwhile.
create table contact_erasures (
  workspace_id uuid not null references workspaces,
  contact_id uuid not null,
  phone text,
  asked_at timestamptz not null default now(),
  primary key (workspace_id, contact_id)
);
create index contact_erasures_phone on contact_erasures (workspace_id, phone);
alter table contact_erasures alter column workspace_id set statistics 0;

-- Their calls (by row) and chats that were emptied so far, with the time in which webhooks were sent about them.
create table erased_sessions (
  workspace_id uuid not null references workspaces,
  contact_id uuid not null,
  id uuid not null,
  is_chat boolean not null,
  -- contactIdentifier of a chat
  identifier text,
  since timestamptz not null,
  until timestamptz not null,
  primary key (workspace_id, contact_id, id)
);
alter table erased_sessions alter column workspace_id set statistics 0;
