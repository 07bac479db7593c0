-- How many of a job's rows that are over came to a person and to a machine: `successful_rows` counts a voicemail that was
-- left as a success, and is part of the contract. The outcomes are those of answeredSql in src/calls/answered.ts.
alter table call_jobs
  add column reached_rows integer not null default 0,
  add column machine_rows integer not null default 0;

update call_jobs j
   set reached_rows = c.reached, machine_rows = c.machine
  from (select workspace_id, job_id,
               count(*) filter (where outcome in ('ANSWERED', 'OPTED_OUT', 'TRANSFERRED', 'INTERRUPTED')) as reached,
               count(*) filter (where outcome in ('VOICEMAIL', 'CALL_SCREENED', 'IVR', 'FAX')) as machine
          from call_rows
         where status in ('COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED', 'UNCONFIRMED')
         group by 1, 2) c
 where j.workspace_id = c.workspace_id and j.id = c.job_id;
