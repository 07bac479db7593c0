-- Tasks are claimed in turn by workspace and, of webhooks, by receiver: a session webhook, or the host that a job's
-- completion goes to. Empty: the task goes to nobody outside.
alter table tasks add column endpoint text generated always as (coalesce(case kind
  when 'session.event' then subject_id::text
  when 'call_job.completed' then lower(substring(payload #>> '{webhook,url}' from '^[a-zA-Z]+://([^/?#]*)'))
  end, '')) stored;
create index tasks_heads on tasks (kind, workspace_id, endpoint, due_at, id) where status = 'PENDING';

-- Receivers of webhooks that did not take anything for a while. There is a row only while one fails.
create table webhook_receivers (
  workspace_id uuid not null references workspaces,
  -- host and port
  endpoint text not null,
  -- in a row
  failures integer not null,
  failing_since timestamptz not null default now(),
  -- until then it is sent nothing
  rests_until timestamptz not null default '-infinity',
  primary key (workspace_id, endpoint)
) with (fillfactor = 70);
create index webhook_receivers_age on webhook_receivers (failing_since);
