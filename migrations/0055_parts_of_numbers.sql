-- outside a transaction
-- Numbers by any part of them. Without the workspace in its key: every search read all numbers of the workspace there,
-- to intersect them with those that have the part.
create index concurrently if not exists call_numbers_digits on call_numbers using gin (number gin_trgm_ops);
drop index concurrently if exists call_numbers_parts;
