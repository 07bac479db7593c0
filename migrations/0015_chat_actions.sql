-- Actions that agents took in chats, such as a text message sent. A turn that is taken again, because its node died or
-- its database was away, finds here what it has done already.
create table chat_actions (
  workspace_id uuid not null,
  session_id uuid not null,
  -- position of the message that the turn answers; 0: the opening
  anchor integer not null,
  tool text not null,
  -- counts the actions of the tool in the turn
  position integer not null,
  -- what the model was answered; null where that may hold personal data
  answer text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, session_id, anchor, tool, position)
);
create index chat_actions_age on chat_actions (created_at);
