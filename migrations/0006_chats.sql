-- A chat, by text: over the API (CHAT), or by a messenger (SMS, WHATSAPP).
create table chat_sessions (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  channel text not null,
  provider text not null,
  provider_call_id text,
  -- messages stay in the sandbox
  simulated boolean not null,
  status text not null,
  mode text not null,
  ai_mode text not null,
  flow_id uuid,
  flow_api_id text,
  is_inline boolean not null,
  -- the flow as it was when the chat began, its variables and outputs: a later change or deletion of the flow
  -- must not change what a chat under way is about
  plan json not null,
  context_data text,
  contact_name text,
  contact_email text,
  contact_phone text,
  number_country text,
  number_class text,
  contact_identifier text,
  phone_number_id uuid,
  assistant_phone_number text,
  assignee text,
  idle_timeout_seconds integer not null,
  message_count integer not null default 0,
  -- the one outstanding task that takes the agent's turns: turns of a session never overlap
  turn_task_id uuid,
  -- the model has yet to open
  opening_due boolean not null,
  last_message_at timestamptz,
  -- WhatsApp: until when free text may be sent
  window_expires_at timestamptz,
  structured_outputs json,
  extracted_fields json,
  end_reason text,
  error json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  -- outputs are filled and session.ended is announced
  finished_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index chat_sessions_phone on chat_sessions (workspace_id, contact_phone, id);

create table chat_messages (
  workspace_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  -- 1, 2, … in the order of arrival
  position integer not null,
  -- position of the message this belongs to: its own, or the one the agent answers with it; 0: the opening
  anchor integer not null,
  role text not null,
  content text not null,
  tool_call_id text,
  client_message_id text,
  needs_answer boolean not null default false,
  template json,
  -- tells the person that they were taken off: the one message that may follow a refusal
  confirms_opt_out boolean not null default false,
  -- null: nothing is sent. SENDING is the committed intent, shown as QUEUED
  delivery_status text,
  delivery_attempts integer not null default 0,
  provider_message_id text,
  sent_at timestamptz,
  error json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, session_id, position),
  unique (workspace_id, session_id, client_message_id),
  foreign key (workspace_id, session_id) references chat_sessions
) with (fillfactor = 80);

-- What the sandbox messenger took: its own record, as a provider has one.
create table sandbox_messages (
  workspace_id uuid not null,
  message_id uuid not null,
  provider_message_id text not null,
  channel text not null,
  to_number text not null,
  -- null: instant
  speed double precision,
  taken_at timestamptz not null default now(),
  primary key (workspace_id, message_id)
);
