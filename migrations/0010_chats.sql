-- Contacts, and chats with them by API, widget, SMS and WhatsApp.

-- People whom a workspace calls and writes with. A phone number is one contact, and so is a chat identifier; a contact
-- may have both. Rows of jobs get their contact when they are dialled, so that an import stays one insert.
create table contacts (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  phone text,
  identifier text,
  email text,
  name text,
  -- set when somebody asks for no more contact in a chat without a number; numbers are in do_not_call
  opted_out_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, phone),
  unique (workspace_id, identifier)
) with (fillfactor = 90);
create index contacts_email on contacts (workspace_id, lower(email)) where email is not null;
create index contacts_name on contacts (workspace_id, lower(name) text_pattern_ops) where name is not null;

-- Chats by text: over the API (CHAT), or by a messenger (SMS, WHATSAPP).
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
  -- The flow, its variables and outputs as they were when the chat began: a later change or deletion of the flow must
  -- not change a chat under way.
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
  -- the agent still has to write first
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
  -- when outputs were filled and session.ended was announced
  finished_at timestamptz,
  -- version that the start of the chat took; null for an inline flow
  flow_version integer,
  -- number of the chat's last event
  event_seq integer not null default 0,
  contact_id uuid,
  is_forgotten boolean not null default false,
  -- when the agent asked for a human operator; null once somebody took over
  human_requested_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index chat_sessions_phone on chat_sessions (workspace_id, contact_phone, id);
create index chat_sessions_contact on chat_sessions (workspace_id, contact_id, id) where contact_id is not null;
-- Read by the dashboard's live stream, as call_jobs_active is.
create index chat_sessions_open on chat_sessions (workspace_id, id) where status in ('ACTIVE', 'HANDED_OFF');
-- Chats past their retention, oldest first within each workspace.
create index chat_sessions_kept on chat_sessions (workspace_id, ended_at)
  where ended_at is not null and not is_forgotten;
-- Chats that wait for an operator, newest first.
create index chat_sessions_human_requested on chat_sessions (workspace_id, id) where human_requested_at is not null;

-- Messages of chats.
create table chat_messages (
  workspace_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  -- 1, 2, … in the order of arrival
  position integer not null,
  -- position of the message this belongs to: its own, or the one that the agent answers with it; 0: the opening
  anchor integer not null,
  role text not null,
  content text not null,
  tool_call_id text,
  client_message_id text,
  needs_answer boolean not null default false,
  template json,
  -- confirms an opt-out: the one message that may follow a refusal
  confirms_opt_out boolean not null default false,
  -- null: nothing is sent. SENDING is the committed intent, shown as QUEUED
  delivery_status text,
  delivery_attempts integer not null default 0,
  provider_message_id text,
  sent_at timestamptz,
  error json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- what a reader of the chat sees of a tool call: FULL, NAME_ONLY or HIDDEN; the agent keeps all of it
  disclosure text not null default 'FULL',
  -- passages of the knowledge base behind an answer
  citations json,
  primary key (workspace_id, id),
  unique (workspace_id, session_id, position),
  unique (workspace_id, session_id, client_message_id),
  foreign key (workspace_id, session_id) references chat_sessions
) with (fillfactor = 80);
-- A person's message is stored once by the id that its provider gave it.
create unique index chat_messages_inbound on chat_messages (workspace_id, provider_message_id) where role = 'USER';
-- A provider's report names the provider's id of a message, and not always ours.
create index chat_messages_sent on chat_messages (workspace_id, provider_message_id)
  where provider_message_id is not null and role <> 'USER';

-- Events of chats, for clients that follow them.
create table chat_events (
  workspace_id uuid not null,
  session_id uuid not null,
  -- 1, 2, … in the order of commit: assigned under the lock of the chat's row
  seq integer not null,
  type text not null,
  -- the message, whose text is read from chat_messages
  message_id uuid,
  data json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, session_id, seq),
  foreign key (workspace_id, session_id) references chat_sessions on delete cascade
);
create index chat_events_age on chat_events (created_at);

-- Messages that the sandbox messenger accepted: its own record, as a provider has one.
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

-- Delivery reports that arrived before the provider's id of their message was stored here; applied when it is. They
-- hold nothing personal.
create table early_reports (
  workspace_id uuid not null references workspaces,
  provider_message_id text not null,
  status text not null,
  error json,
  received_at timestamptz not null default now(),
  primary key (workspace_id, provider_message_id)
);
create index early_reports_age on early_reports (received_at);

-- Chat windows for web pages. `public_id` is in the page; the origin decides who may use it.
create table widgets (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  public_id text not null unique,
  name text not null,
  -- null: the workspace's default flow
  flow_id uuid,
  allowed_origins text[] not null,
  greeting text,
  theme_color text not null,
  active boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Tokens of visitors' browsers, each for one chat.
create table widget_tokens (
  workspace_id uuid not null,
  widget_id uuid not null,
  session_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  primary key (workspace_id, session_id),
  foreign key (workspace_id, widget_id) references widgets on delete cascade,
  foreign key (workspace_id, session_id) references chat_sessions on delete cascade
);
create index widget_tokens_widget on widget_tokens (workspace_id, widget_id);
create index widget_tokens_expiry on widget_tokens (expires_at);

-- Token buckets of visitors who start chats and write. `bucket` names what is counted; an address appears only as its
-- digest.
create table widget_buckets (
  workspace_id uuid not null,
  bucket text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  granted boolean not null,
  primary key (workspace_id, bucket)
);
