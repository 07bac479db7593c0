-- What a flow said at each publication, kept as it was.
create table flow_versions (
  workspace_id uuid not null,
  flow_id uuid not null,
  version integer not null,
  -- names the row in cursors of lists
  id uuid not null,
  definition json not null,
  note text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, flow_id, version),
  foreign key (workspace_id, flow_id) references flows on delete cascade
);

insert into flow_versions (workspace_id, flow_id, version, id, definition, created_at)
select workspace_id, id, version, gen_random_uuid(), definition, updated_at from flows;

create function refuse_flow_version_change() returns trigger language plpgsql as $$
begin
  raise exception 'a published version of a flow cannot change';
end
$$;
create trigger flow_versions_are_fixed before update on flow_versions
  for each row execute function refuse_flow_version_change();

-- What is being prepared: it reaches no call before it is published. draft_base is the version it began from.
alter table flows add column draft json;
alter table flows add column draft_base integer;
alter table flows add column draft_updated_at timestamptz;
-- [{version, percent}], the percents 100 in all; null: every new session takes the published version.
alter table flows add column splits json;

-- The version a session takes: its id decides, so that the choice can be repeated and needs no state. Percents that
-- grow move only the sessions that must move.
create function pick_flow_version(published integer, splits json, session_id uuid) returns integer
language sql immutable as $$
  select case when splits is null then published else (
    select s.version
      from (select (item ->> 'version')::int as version,
                   sum((item ->> 'percent')::int) over (order by place) as upper_bound
              from json_array_elements(splits) with ordinality as e(item, place)) s
     where s.upper_bound > ('x' || substr(md5(session_id::text), 1, 8))::bit(32)::bigint % 100
     order by s.upper_bound limit 1) end
$$;

-- The version that the first dial, or the start of the chat, took; null for an inline flow.
alter table call_rows add column flow_version integer;
alter table chat_sessions add column flow_version integer;
