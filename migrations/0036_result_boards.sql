-- Saved views of results: which calls, and which cards.
create table result_boards (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  filters json not null,
  cards text[] not null,
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create unique index result_boards_name on result_boards (workspace_id, name);

-- Condition by which a call of the flow is a success; null: it is completed, with valid outputs.
alter table flows add column success json;

-- Flows whose condition changed: up to which call the workspace's calls were looked through for those of the flow.
create table result_recounts (
  workspace_id uuid not null,
  flow_id uuid not null,
  row_id uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (workspace_id, flow_id)
);

-- Calls by the quarters of an hour in which they count, so that those behind a sum are found. Kept by triggers on
-- call_facts, because servers of the version before write facts as well.
create table result_calls (
  workspace_id uuid not null,
  bucket_at timestamptz not null,
  row_id uuid not null,
  primary key (workspace_id, bucket_at, row_id)
);

create function list_result_calls() returns trigger language plpgsql as $$
begin
  insert into result_calls (workspace_id, bucket_at, row_id)
  select distinct a.workspace_id, (p.part -> 'key' ->> 0)::timestamptz, a.row_id
    from added a cross join lateral jsonb_array_elements(a.sums) p(part)
  on conflict do nothing;
  return null;
end $$;

create function unlist_result_calls() returns trigger language plpgsql as $$
begin
  delete from result_calls c
   using (select distinct o.workspace_id, (p.part -> 'key' ->> 0)::timestamptz as bucket_at, o.row_id
            from removed o cross join lateral jsonb_array_elements(o.sums) p(part)) x
   where c.workspace_id = x.workspace_id and c.bucket_at = x.bucket_at and c.row_id = x.row_id;
  return null;
end $$;

create function relist_result_calls() returns trigger language plpgsql as $$
begin
  delete from result_calls c
   using (select o.workspace_id, (p.part -> 'key' ->> 0)::timestamptz as bucket_at, o.row_id
            from removed o cross join lateral jsonb_array_elements(o.sums) p(part)
          except
          select a.workspace_id, (p.part -> 'key' ->> 0)::timestamptz, a.row_id
            from added a cross join lateral jsonb_array_elements(a.sums) p(part)) x
   where c.workspace_id = x.workspace_id and c.bucket_at = x.bucket_at and c.row_id = x.row_id;
  insert into result_calls (workspace_id, bucket_at, row_id)
  select distinct a.workspace_id, (p.part -> 'key' ->> 0)::timestamptz, a.row_id
    from added a cross join lateral jsonb_array_elements(a.sums) p(part)
  on conflict do nothing;
  return null;
end $$;

create trigger call_facts_list after insert on call_facts referencing new table as added
  for each statement execute function list_result_calls();
create trigger call_facts_relist after update on call_facts referencing old table as removed new table as added
  for each statement execute function relist_result_calls();
create trigger call_facts_unlist after delete on call_facts referencing old table as removed
  for each statement execute function unlist_result_calls();

-- How far the facts of earlier versions have been listed.
create table result_listing (
  only_row boolean primary key default true check (only_row),
  workspace_id uuid not null default '00000000-0000-0000-0000-000000000000',
  row_id uuid not null default '00000000-0000-0000-0000-000000000000',
  is_done boolean not null default false
);
insert into result_listing default values;
