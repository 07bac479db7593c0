/**
 * Statements that make a restored database one of a crashed installation. No lease of the snapshot lives on, so calls
 * under way end as after a crash: their carriers are asked, and only proof of absence redials. An attempt that was only
 * claimed is no such proof here, as it is after a crash: the former installation may have dialled it after the snapshot.
 */
export const AFTER_RESTORE_SQL = [
  "delete from nodes",
  "update call_attempts set state = 'SUBMITTING' where state = 'CLAIMED' and ended_at is null",
];
