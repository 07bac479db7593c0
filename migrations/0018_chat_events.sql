-- What happened in a chat, for those who follow it: a number line of its own for each chat.
alter table chat_sessions add column event_seq integer not null default 0;

create table chat_events (
  workspace_id uuid not null,
  session_id uuid not null,
  -- 1, 2, … in the order of commit: drawn under the lock of the chat's row
  seq integer not null,
  type text not null,
  -- a message's text is read where it is kept
  message_id uuid,
  data json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, session_id, seq),
  foreign key (workspace_id, session_id) references chat_sessions on delete cascade
);
-- for forgetting old ones
create index chat_events_age on chat_events using brin (created_at);

insert into chat_events (workspace_id, session_id, seq, type, message_id, data, created_at)
select workspace_id, session_id, position, 'message.created', id,
       json_build_object('deliveryStatus', case delivery_status when 'SENDING' then 'QUEUED' else delivery_status end,
                         'errorCode', error ->> 'code'), created_at
  from chat_messages;
update chat_sessions set event_seq = message_count where message_count > 0;

-- The flow that answers who writes to a number; null: the workspace's default flow.
alter table phone_numbers add column inbound_flow_id uuid;

-- A person's message is taken once by the id that its provider gave it.
create unique index chat_messages_inbound on chat_messages (workspace_id, provider_message_id) where role = 'USER';
