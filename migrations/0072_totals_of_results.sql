-- Sums of calls once more, for long times: by day (UTC) with outcome and reason, and by quarter of an hour without them
-- ('' in both), for the hours of the day. Triggers keep them, because servers of the version before add to the sums as
-- well. Only the fold changes sums, one transaction at a time.
create table result_totals (
  workspace_id uuid not null,
  -- DAY or QUARTER
  grain text not null,
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
  primary key (workspace_id, grain, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, outcome, reason)
) with (fillfactor = 70);
alter table result_totals alter column workspace_id set statistics 0;
create index result_totals_job on result_totals (workspace_id, job_id, grain, bucket_at);

-- Adds sums to the totals, and takes others away.
create function add_result_totals(added result_sums[], taken result_sums[]) returns void language sql as $$
  insert into result_totals as t (workspace_id, grain, bucket_at, job_id, flow_api_id, flow_version, phone_number_id,
    channel, outcome, reason, calls, dialled, persons, machines, talked, goals, call_ms, billed, simulated, dials,
    dial_persons, dial_machines)
  select s.workspace_id, g.grain, case g.grain when 'DAY' then date_trunc('day', s.bucket_at, 'UTC') else s.bucket_at end as at,
         s.job_id, s.flow_api_id, s.flow_version, s.phone_number_id, s.channel,
         case g.grain when 'DAY' then s.outcome else '' end as end_outcome,
         case g.grain when 'DAY' then s.reason else '' end as end_reason,
         sum(sign * s.calls), sum(sign * s.dialled), sum(sign * s.persons), sum(sign * s.machines), sum(sign * s.talked),
         sum(sign * s.goals), sum(sign * s.call_ms), sum(sign * s.billed), sum(sign * s.simulated), sum(sign * s.dials),
         sum(sign * s.dial_persons), sum(sign * s.dial_machines)
    from (select 1 as sign, a.* from unnest(added) a union all select -1, b.* from unnest(taken) b) s
   cross join (values ('DAY'), ('QUARTER')) g(grain)
   where g.grain = 'DAY' or s.dials > 0
   group by s.workspace_id, g.grain, at, s.job_id, s.flow_api_id, s.flow_version, s.phone_number_id, s.channel,
         end_outcome, end_reason
   order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  on conflict (workspace_id, grain, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, outcome, reason)
  do update set calls = t.calls + excluded.calls, dialled = t.dialled + excluded.dialled,
    persons = t.persons + excluded.persons, machines = t.machines + excluded.machines,
    talked = t.talked + excluded.talked, goals = t.goals + excluded.goals, call_ms = t.call_ms + excluded.call_ms,
    billed = t.billed + excluded.billed, simulated = t.simulated + excluded.simulated, dials = t.dials + excluded.dials,
    dial_persons = t.dial_persons + excluded.dial_persons, dial_machines = t.dial_machines + excluded.dial_machines
$$;

create function note_result_sums() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_result_totals((select array_agg(row(s.*)::result_sums) from added s), null);
  elsif tg_op = 'UPDATE' then
    perform add_result_totals((select array_agg(row(s.*)::result_sums) from added s), (select array_agg(row(s.*)::result_sums) from taken s));
  else
    perform add_result_totals(null, (select array_agg(row(s.*)::result_sums) from taken s));
  end if;
  return null;
end $$;
create trigger result_sums_added after insert on result_sums referencing new table as added
  for each statement execute function note_result_sums();
create trigger result_sums_changed after update on result_sums referencing old table as taken new table as added
  for each statement execute function note_result_sums();
create trigger result_sums_taken after delete on result_sums referencing old table as taken
  for each statement execute function note_result_sums();

-- Adds a day of sums of earlier versions anew. Nothing else may change the sums meanwhile.
create function fill_result_totals(workspace uuid, day timestamptz) returns void language sql as $$
  delete from result_totals where workspace_id = workspace and grain in ('DAY', 'QUARTER')
     and bucket_at >= day and bucket_at < day + interval '24 hours';
  select add_result_totals((select array_agg(s) from result_sums s where workspace_id = workspace
     and bucket_at >= day and bucket_at < day + interval '24 hours'), null);
$$;

-- How far the sums of earlier versions have been added; totals are read once they are.
create table result_filling (
  only_row boolean primary key default true check (only_row),
  workspace_id uuid not null default '00000000-0000-0000-0000-000000000000',
  day timestamptz not null default '1970-01-01',
  is_done boolean not null default false
);
alter table result_filling alter column workspace_id set statistics 0;
insert into result_filling default values;
