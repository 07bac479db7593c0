-- Sums of what calls came to, kept by src/interactions/results/fold.ts. A read of the results adds these up and never
-- the calls, so its cost follows the quarters of an hour in which calls were made, and not their number.

-- Calls whose part in the sums has to be computed anew. Rows are only inserted, so no writer waits for another.
create table result_changes (
  id bigint generated always as identity primary key,
  workspace_id uuid not null,
  row_id uuid not null
);
create index result_changes_workspace on result_changes (workspace_id);

-- What each call added to the sums: the same is taken out again when the call changes.
create table call_facts (
  workspace_id uuid not null,
  row_id uuid not null,
  sums jsonb not null,
  field_values jsonb not null,
  primary key (workspace_id, row_id)
);

-- Calls and dials by quarter of an hour (UTC) and by what results are filtered and grouped by. '' and 0 stand for none.
create table result_sums (
  workspace_id uuid not null,
  bucket_at timestamptz not null,
  job_id uuid not null,
  flow_api_id text not null,
  flow_version integer not null,
  phone_number_id uuid not null,
  channel text not null,
  outcome text not null,
  reason text not null,
  calls bigint not null,
  dialled bigint not null,
  persons bigint not null,
  machines bigint not null,
  talked bigint not null,
  goals bigint not null,
  call_ms bigint not null,
  billed numeric not null,
  simulated numeric not null,
  dials bigint not null,
  dial_persons bigint not null,
  dial_machines bigint not null,
  primary key (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, outcome, reason)
) with (fillfactor = 70);
create index result_sums_job on result_sums (workspace_id, job_id, bucket_at);

-- Values of extracted fields, counted in the same way. `total` adds up what a number was before it was rounded.
create table result_values (
  workspace_id uuid not null,
  bucket_at timestamptz not null,
  job_id uuid not null,
  flow_api_id text not null,
  flow_version integer not null,
  phone_number_id uuid not null,
  channel text not null,
  field text not null,
  kind text not null,
  value text not null,
  calls bigint not null,
  total numeric not null,
  primary key (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, field, kind, value)
) with (fillfactor = 70);
create index result_values_job on result_values (workspace_id, job_id, bucket_at);

-- How far the calls of earlier versions have been put on the list of changes.
create table result_backfill (
  only_row boolean primary key default true check (only_row),
  workspace_id uuid not null default '00000000-0000-0000-0000-000000000000',
  row_id uuid not null default '00000000-0000-0000-0000-000000000000',
  is_done boolean not null default false
);
insert into result_backfill default values;

create function note_result_change() returns trigger language plpgsql as $$
begin
  insert into result_changes (workspace_id, row_id) values (new.workspace_id, new.id);
  return null;
end $$;
-- A call that ended, waits for another attempt after one, is tried anew, or was erased.
create trigger call_rows_note_result after update on call_rows for each row
  when (old.ended_at is distinct from new.ended_at or old.customer_number <> new.customer_number
        or (new.status = 'WAITING_FOR_RETRY' and old.status <> new.status))
  execute function note_result_change();

-- A call that was refused before it began.
create trigger call_rows_note_refusal after insert on call_rows for each row
  when (new.ended_at is not null) execute function note_result_change();

create function note_late_result() returns trigger language plpgsql as $$
begin
  insert into result_changes (workspace_id, row_id) values (new.workspace_id, new.row_id);
  return null;
end $$;
-- Fields that were filled or forgotten after the end of the call.
create trigger call_results_note_result after update on call_results for each row
  when (old.is_forgotten is distinct from new.is_forgotten or old.extracted_fields::text <> new.extracted_fields::text)
  execute function note_late_result();

create function note_result_deletion() returns trigger language plpgsql as $$
begin
  insert into result_changes (workspace_id, row_id) values (old.workspace_id, old.id);
  return null;
end $$;
create trigger call_rows_note_deletion after delete on call_rows for each row
  when (old.ended_at is not null or old.started_at is not null) execute function note_result_deletion();
