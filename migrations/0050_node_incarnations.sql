-- `name` is the id of an installation (the file `node-id` in its DATA_DIR). `place` is where that file lies: boot of the
-- machine, device and inode, so that a copy of the folder is not taken for the original. Each heartbeat writes a new
-- `beat` over the one it wrote before: of two processes that took themselves for one node, one finds a stranger's.
alter table nodes add column place text;
alter table nodes add column beat uuid;
