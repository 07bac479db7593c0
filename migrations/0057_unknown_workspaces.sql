-- The planner shall take every workspace for one of two hundred, its guess for a column without statistics. With
-- statistics it expected one row of a workspace that came after them, and read all its rows by whichever index began
-- with the workspace: a list read the calls of a new workspace once for each row of a page, and a search of two words
-- took minutes. PostgreSQL before 18 cannot forget statistics, so a table that has them keeps learning there.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
       and (current_setting('server_version_num')::int >= 180000
            or not exists (select 1 from pg_stats s where s.schemaname = current_schema()
                              and s.tablename = c.relname and s.attname = a.attname))
     order by 1
  loop
    execute format('alter table %I alter column workspace_id set statistics 0', name);
    if current_setting('server_version_num')::int >= 180000 then
      perform pg_clear_attribute_stats(current_schema(), name, 'workspace_id', false);
    end if;
  end loop;
end $$;
