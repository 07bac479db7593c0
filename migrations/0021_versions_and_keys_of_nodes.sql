-- The version of Parley that a node runs, the ids of the secrets that it knows, and of the one that it seals with: a
-- rotation of the secret begins when all nodes know the new one, and ends when all seal with it. Null: an older version.
alter table nodes add column version text;
alter table nodes add column key_ids text[];
alter table nodes add column sealing_key text;
