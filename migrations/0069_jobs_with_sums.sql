-- False for a job of an earlier version, whose rows are counted once when its summary is asked for.
alter table call_jobs add column has_sums boolean not null default false;
alter table call_jobs alter column has_sums set default true;
