-- Rows of jobs that are over or wait for another attempt, by what they came to, so that the summary of a job counts
-- none of them (src/interactions/call-jobs/row-sums.ts). The others of a job are few, or QUEUED, and `total_rows` tells
-- how many those are. Triggers keep the counts, because servers of the version before change rows as well.

-- Changes of counts. Rows are only inserted, so no writer waits for another. The roll-up moves them into job_row_sums;
-- at every moment the sum of both is exact.
create table job_row_deltas (
  workspace_id uuid not null,
  job_id uuid not null,
  status text not null,
  -- '' where there is none
  outcome text not null,
  error_code text not null,
  attempts_made integer not null,
  rows integer not null
);
alter table job_row_deltas alter column workspace_id set statistics 0;
create index job_row_deltas_job on job_row_deltas (workspace_id, job_id);

create table job_row_sums (
  workspace_id uuid not null,
  job_id uuid not null,
  status text not null,
  outcome text not null,
  error_code text not null,
  attempts_made integer not null,
  rows integer not null,
  primary key (workspace_id, job_id, status, outcome, error_code, attempts_made)
) with (fillfactor = 70);
alter table job_row_sums alter column workspace_id set statistics 0;

-- The error that a row counts under: the one of a row that waits comes and goes while it does.
create function counted_error(status text, error json) returns text language sql immutable parallel safe as $$
  select case when error is null or status = 'WAITING_FOR_RETRY' then '' else coalesce(left(error ->> 'code', 200), '') end
$$;

create function note_job_row() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status not in ('QUEUED', 'DIALING', 'UNKNOWN') then
    insert into job_row_deltas (workspace_id, job_id, status, outcome, error_code, attempts_made, rows)
    values (old.workspace_id, old.job_id, old.status, coalesce(old.outcome, ''), counted_error(old.status, old.error),
      old.attempts_made, -1);
  end if;
  if tg_op <> 'DELETE' and new.status not in ('QUEUED', 'DIALING', 'UNKNOWN') then
    insert into job_row_deltas (workspace_id, job_id, status, outcome, error_code, attempts_made, rows)
    values (new.workspace_id, new.job_id, new.status, coalesce(new.outcome, ''), counted_error(new.status, new.error),
      new.attempts_made, 1);
  end if;
  return null;
end $$;

-- Of a row that is over, an erasure changes the error, with its number.
create trigger call_rows_count_change after update on call_rows for each row
  when ((old.status <> new.status or old.customer_number <> new.customer_number)
        and (old.status not in ('QUEUED', 'DIALING', 'UNKNOWN') or new.status not in ('QUEUED', 'DIALING', 'UNKNOWN'))
        and new.job_id <> '00000000-0000-0000-0000-000000000000')
  execute function note_job_row();
create trigger call_rows_count_new after insert on call_rows for each row
  when (new.status not in ('QUEUED', 'DIALING', 'UNKNOWN') and new.job_id <> '00000000-0000-0000-0000-000000000000')
  execute function note_job_row();
create trigger call_rows_count_gone after delete on call_rows for each row
  when (old.status not in ('QUEUED', 'DIALING', 'UNKNOWN') and old.job_id <> '00000000-0000-0000-0000-000000000000')
  execute function note_job_row();
