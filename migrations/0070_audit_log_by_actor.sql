-- outside a transaction
-- Entries of somebody; and who there is, by going from one name to the next.
create index concurrently if not exists audit_log_actor on audit_log (workspace_id, actor, id);
