-- outside a transaction
create index concurrently if not exists lanes_awake on lanes (next_look_at, workspace_id, phone_number_id)
  where is_open;
-- The lanes of a number, the one served longest ago first.
create index concurrently if not exists lanes_of_number on lanes (workspace_id, phone_number_id, next_look_at)
  where is_open;
drop index concurrently if exists lanes_open;
