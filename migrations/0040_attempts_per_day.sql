-- How often one number may be rung: so many attempts in a day of the called person, so many minutes after the last one
-- ended; null: no limit. SANDBOX workspaces, whose calls cannot leave, ignore both.
alter table workspaces add column max_attempts_per_day integer check (max_attempts_per_day between 1 and 100);
alter table workspaces add column attempt_gap_minutes integer check (attempt_gap_minutes between 1 and 10080);
update workspaces set max_attempts_per_day = 3 where mode = 'LIVE';

-- The how-manieth dial of the workspace to the number, without a gap from the first on; null where nobody can have been
-- rung, and where no limit holds. Unique, so that of two claims that counted alike one writes its dial and the other none.
alter table call_attempts add column person_attempt integer;
update call_attempts a set person_attempt = n.place
  from (select c.workspace_id, c.id, row_number() over (partition by c.workspace_id, c.customer_number
               order by c.submitted_at, c.id) as place
          from call_attempts c
          join workspaces w on w.id = c.workspace_id and w.mode = 'LIVE'
          join call_rows r on r.workspace_id = c.workspace_id and r.id = c.row_id and r.direction = 'OUTBOUND'
         where c.state not in ('REFUSED', 'ABSENT') and c.customer_number like '+%'
           and c.submitted_at > now() - interval '7 days') n
 where a.workspace_id = n.workspace_id and a.id = n.id;
create unique index call_attempts_person on call_attempts (workspace_id, customer_number, person_attempt)
  where person_attempt is not null;

-- When the day of a called person began at the earliest, of the clocks that may be theirs; null when nobody can tell.
create function person_day_began(row_zone text, row_country text, instant timestamptz) returns timestamptz
language plpgsql stable as $$
begin
  return (
    select min(date_trunc('day', instant at time zone z) at time zone z)
      from unnest(calling_zones('{}', row_zone, row_country)) z);
exception when others then
  return null;
end
$$;
