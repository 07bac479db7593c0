-- Calls whose person asked for a human while no tool could hand the call over: somebody has to call them back. The index finds
-- them among a million others, newest first; the second one does so for chats that wait for an operator.
alter table call_rows add column human_requested boolean not null default false;
create index call_rows_human_requested on call_rows (workspace_id, id) where human_requested;
create index chat_sessions_human_requested on chat_sessions (workspace_id, id) where human_requested_at is not null;
