-- Workers claim by kind, so that a backlog of one kind does not stand before the others.
drop index tasks_due;
create index tasks_due on tasks (kind, due_at, id) where status = 'PENDING';
