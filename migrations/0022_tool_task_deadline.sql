-- Until when a conversation waits for the answer, by the database's own clock: a callback that comes later is refused
-- even when the process that waited is gone. Null: for ever (tasks of the echo endpoint).
alter table tool_tasks add column expires_at timestamptz;
