-- outside a transaction
-- Runs that have ended, and artifacts, oldest first: what has passed its retention is found by them.
create index concurrently if not exists automation_runs_age on automation_runs (ended_at) where ended_at is not null;
create index concurrently if not exists artifacts_age on artifacts (created_at);
