-- Numbers that calls were planned for, by any part of which lists of calls are searched. A number stays after its last
-- call; an erasure deletes it. There is no unique key, because two calls to one number would wait for each other: a
-- number that two transactions add at once is there twice, which changes nothing.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create table call_numbers (
  workspace_id uuid not null,
  number text not null
);
insert into call_numbers (workspace_id, number) select distinct workspace_id, customer_number from call_rows;
create index call_numbers_whole on call_numbers (workspace_id, number);
create index call_numbers_parts on call_numbers using gin (workspace_id, number gin_trgm_ops);

create or replace function learn_call_names() returns trigger language plpgsql as $$
begin
  insert into call_names (workspace_id, word, row_id)
  select r.workspace_id, w.word, r.id from learned r cross join lateral name_words(r.contact_name) as w(word)
   where r.contact_name is not null;
  insert into call_numbers (workspace_id, number)
  select distinct r.workspace_id, r.customer_number from learned r
   where not exists (select 1 from call_numbers n where n.workspace_id = r.workspace_id and n.number = r.customer_number);
  return null;
end $$;
