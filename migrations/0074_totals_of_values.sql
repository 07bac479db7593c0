-- Values of extracted fields by day (UTC), for long times; kept and filled as the totals of results are (0072).
create table result_value_totals (
  workspace_id uuid not null,
  -- a day
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
alter table result_value_totals alter column workspace_id set statistics 0;
create index result_value_totals_job on result_value_totals (workspace_id, job_id, bucket_at);

-- Adds values to the totals, takes others away, and deletes the totals that are empty afterwards.
create function add_value_totals(added result_values[], taken result_values[]) returns void language sql as $$
  insert into result_value_totals as t (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel,
    field, kind, value, calls, total)
  select v.workspace_id, date_trunc('day', v.bucket_at, 'UTC') as at, v.job_id, v.flow_api_id, v.flow_version,
         v.phone_number_id, v.channel, v.field, v.kind, v.value, sum(sign * v.calls), sum(sign * v.total)
    from (select 1 as sign, a.* from unnest(added) a union all select -1, b.* from unnest(taken) b) v
   where v.calls <> 0
   group by v.workspace_id, at, v.job_id, v.flow_api_id, v.flow_version, v.phone_number_id, v.channel, v.field, v.kind, v.value
   order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  on conflict (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, field, kind, value)
  do update set calls = t.calls + excluded.calls, total = t.total + excluded.total;
  -- What an erased person said.
  delete from result_value_totals t using unnest(taken) v
   where t.workspace_id = v.workspace_id and t.bucket_at = date_trunc('day', v.bucket_at, 'UTC') and t.job_id = v.job_id
     and t.flow_api_id = v.flow_api_id and t.flow_version = v.flow_version and t.phone_number_id = v.phone_number_id
     and t.channel = v.channel and t.field = v.field and t.kind = v.kind and t.value = v.value and t.calls = 0
$$;

create function note_result_values() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_value_totals((select array_agg(row(v.*)::result_values) from added v), null);
  elsif tg_op = 'UPDATE' then
    perform add_value_totals((select array_agg(row(v.*)::result_values) from added v),
      (select array_agg(row(v.*)::result_values) from taken v));
  else
    perform add_value_totals(null, (select array_agg(row(v.*)::result_values) from taken v));
  end if;
  return null;
end $$;
create trigger result_values_added after insert on result_values referencing new table as added
  for each statement execute function note_result_values();
create trigger result_values_changed after update on result_values referencing old table as taken new table as added
  for each statement execute function note_result_values();
create trigger result_values_taken after delete on result_values referencing old table as taken
  for each statement execute function note_result_values();

-- Adds a day of values of earlier versions anew. Nothing else may change the values meanwhile.
create function fill_value_totals(workspace uuid, since timestamptz) returns void language sql as $$
  delete from result_value_totals where workspace_id = workspace and bucket_at = since;
  select add_value_totals((select array_agg(v) from result_values v where workspace_id = workspace
     and bucket_at >= since and bucket_at < since + interval '24 hours'), null);
$$;

-- How far the values of earlier versions have been added; totals are read once they are.
create table result_value_filling (
  only_row boolean primary key default true check (only_row),
  workspace_id uuid not null default '00000000-0000-0000-0000-000000000000',
  day timestamptz not null default '1970-01-01',
  is_done boolean not null default false
);
alter table result_value_filling alter column workspace_id set statistics 0;
insert into result_value_filling default values;
