/**
 * Ends the lease of the earlier process in this place.
 * $1 installation, $2 place, $3 this node.
 */
export const FENCE_FORMER = `
update nodes set alive_until = '-infinity' where name = $1 and place = $2 and id <> $3`;

/**
 * Finds a live node with the same installation elsewhere.
 * $1 installation, $2 this node.
 */
export const FIND_TWIN = `
select 1 from nodes where name = $1 and id <> $2 and alive_until > now() limit 1`;

/**
 * Deletes nodes that died long ago. Their rows have been taken over. One whose lease ran out lately may be on its way back
 * after an outage, with its calls: however long it has run, they are its own.
 */
export const FORGET_NODES = `
delete from nodes where greatest(alive_until, started_at) < now() - interval '1 day'`;

/**
 * Inserts a node with its lease. $1 node, $2 installation, $3 seconds, $4 address, $5 place, $6 beat, $7 is draining,
 * $8 version, $9 ids of the secrets that it knows, $10 id of the one that it seals with.
 */
export const JOIN = `
insert into nodes (id, name, alive_until, address, place, beat, is_draining, version, key_ids, sealing_key)
values ($1, $2, now() + make_interval(secs => $3), $4, $5, $6, $7, $8, $9, $10)`;

/** Stores the secrets of a node. $1 node, $2 ids of those that it knows, $3 id of the one that it seals with. */
export const STORE_KEYS = `
update nodes set key_ids = $2, sealing_key = $3 where id = $1`;

/** Finds three other nodes that take new calls. $1 node. */
export const FIND_STAND_INS = `
select id, address from nodes
 where id <> $1 and alive_until > now() and not is_draining and address is not null
 order by random() limit 3`;

/**
 * Extends a lease that is alive by the database's clock, and only for the process that wrote the previous beat. An
 * expired lease stays dead. A beat whose answer was lost may have been written, so every tried beat counts.
 * Returns whether no other node is alive. $1 node, $2 seconds, $3 the new beat, $4 the last confirmed beat and those
 * tried since.
 */
export const EXTEND = `
update nodes set alive_until = now() + make_interval(secs => $2), beat = $3
 where id = $1 and alive_until > now() and beat = any ($4::uuid[])
returning not exists (select 1 from nodes o where o.id <> $1 and o.alive_until > now()) as is_alone`;

/**
 * Returns why a lease could not be extended: EXPIRED in time, FENCED by another process, or TWIN when another process
 * beats for this node. No row: the node was deleted.
 * $1 node, $2 our own beats.
 */
export const FIND_LOSS = `
select case when alive_until = '-infinity' then 'FENCED' when not beat = any ($2::uuid[]) then 'TWIN' else 'EXPIRED' end as why
  from nodes where id = $1 for update`;

/**
 * Moves the calls that this process still holds from its expired lease to its new one, unless another node took them
 * first.
 * $1 former node, $2 node, $3 rows.
 */
export const CARRY_CALLS = `
update call_rows set lease_owner = $2, updated_at = now()
 where lease_owner = $1 and id = any ($3::uuid[])
returning id`;

/**
 * Moves everything else under a node's name.
 * $1 former node, $2 node.
 */
export const CARRY_REST = [
  "update tasks set lease_owner = $2 where lease_owner = $1",
  "update call_commands set node_id = $2 where node_id = $1 and settled_at is null",
  "update audit_intents set node_id = $2 where node_id = $1",
];
