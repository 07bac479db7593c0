-- The body of a tool's request is sealed as its headers are. Bodies that lie in the definition are moved by the service,
-- which has the key; the index holds what is left of them, and is empty once that is done.
alter table tools add column api_body bytea;
create index tools_clear_body on tools (workspace_id, id) where definition ->> 'apiBody' is not null;
