-- The line of its file up to which a job's import has come: large files are imported in many short transactions, because a long one
-- keeps the database from clearing away what others change meanwhile, and each of their requests then wades through it.
alter table call_jobs add column imported_line integer not null default 0;
