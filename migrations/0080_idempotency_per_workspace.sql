-- An Idempotency-Key belongs to its workspace: a client that goes from one credential to another repeats nothing. Of keys
-- that two credentials used, the older request counts.
delete from idempotency_keys k using idempotency_keys o
 where o.workspace_id = k.workspace_id and o.route = k.route and o.key = k.key
   and (o.created_at, o.credential_id) < (k.created_at, k.credential_id);
-- Beside the primary key, which nodes of the version before still name in their statements.
create unique index idempotency_keys_name on idempotency_keys (workspace_id, route, key);
