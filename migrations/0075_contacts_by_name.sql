-- outside a transaction
-- Contacts by their names, as contacts_name, with their ids in order; and with the name, because without it PostgreSQL
-- does not take an index of its small letters for enough: those that a far page skips are read by the index alone.
create index concurrently if not exists contacts_by_name
  on contacts (workspace_id, lower(name) text_pattern_ops, id) include (name) where name is not null;
drop index concurrently if exists contacts_name;
