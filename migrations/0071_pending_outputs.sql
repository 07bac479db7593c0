-- Calls whose outputs are still being filled: a completion waits for them, so each of its attempts looks here.
create index tasks_filling on tasks (workspace_id, subject_id)
 where kind = 'calls.fill_outputs' and status in ('PENDING', 'RUNNING');
