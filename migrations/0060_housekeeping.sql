-- Periodic work that one node at a time does for all: who does it now, and when it is due again.
create table periodic_tasks (
  name text primary key,
  held_by uuid,
  due_at timestamptz not null default now()
);

-- Housekeeping reads by these orders. A BRIN index serves a table that is only appended to: once old rows are deleted, new
-- ones take their place, every range of pages holds both, and each pass reads the whole table.
drop index audit_log_age;
create index audit_log_age on audit_log (created_at);
drop index chat_events_age;
create index chat_events_age on chat_events (created_at);
drop index inspected_requests_age;
create index inspected_requests_age on inspected_requests (created_at);
-- The ids of requests follow the order of time, so their key serves age, too.
drop index request_log_age;

create index early_reports_age on early_reports (received_at);
create index widget_tokens_expiry on widget_tokens (expires_at);
create index web_calls_expiry on web_calls (expires_at);
create index web_phones_expiry on web_phones (expires_at);
create index sign_in_links_expiry on sign_in_links (expires_at);
create index sign_in_links_used on sign_in_links (used_at) where used_at is not null;
