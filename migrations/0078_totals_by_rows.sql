-- How far the totals of the day after `day` have been added: its workspace and day, and the dimensions that were added
-- last; {} for none of them. A server of the version before adds a day as a whole, which does no harm.
alter table result_filling add column reached jsonb not null default '{}';
