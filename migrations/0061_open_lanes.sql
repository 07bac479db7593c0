-- Lanes of jobs that are over were kept open, and each claim looked into all of them. FINISH closes them now and
-- housekeeping deletes them; a job that runs again gets new ones.
delete from lanes l using call_jobs j
 where j.workspace_id = l.workspace_id and j.id = l.job_id and j.status in ('COMPLETED', 'CANCELLED', 'FAILED')
   and l.active_calls = 0;
update lanes l set is_open = false from call_jobs j
 where j.workspace_id = l.workspace_id and j.id = l.job_id and j.status in ('COMPLETED', 'CANCELLED', 'FAILED');

-- The claim reads the open ones alone, housekeeping the closed ones, and a job its own.
create index lanes_open on lanes (workspace_id, phone_number_id, job_id) where is_open;
create index lanes_closed on lanes (workspace_id, job_id) where not is_open;
create index lanes_job on lanes (workspace_id, job_id);
