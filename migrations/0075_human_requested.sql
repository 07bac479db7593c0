-- When the agent of a chat asked for a human operator whom nobody has stood in for yet; null once somebody took over.
alter table chat_sessions add column human_requested_at timestamptz;
