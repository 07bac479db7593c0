-- A node that is about to stop takes no new calls; the others send none to it.
alter table nodes add column is_draining boolean not null default false;
