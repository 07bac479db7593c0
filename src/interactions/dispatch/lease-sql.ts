/** Ends the lease of the process that ran in this place before. $1 installation, $2 place, $3 this node. */
export const FENCE_FORMER = `
update nodes set alive_until = '-infinity' where name = $1 and place = $2 and id <> $3`;

/** Finds a node with the same installation that is alive elsewhere. $1 installation, $2 this node. */
export const FIND_TWIN = `
select 1 from nodes where name = $1 and id <> $2 and alive_until > now() limit 1`;

/** Nodes that died long ago; their rows have been taken over. */
export const FORGET_NODES = `
delete from nodes where alive_until < now() and started_at < now() - interval '1 day'`;

/** $1 node, $2 installation, $3 seconds, $4 address, $5 place, $6 beat. */
export const JOIN = `
insert into nodes (id, name, alive_until, address, place, beat)
values ($1, $2, now() + make_interval(secs => $3), $4, $5, $6)`;

/**
 * Extends a lease that is alive by the database's clock, and only for the process that wrote the beat before: a lease that
 * ran out stays dead. A beat whose answer was lost may have been written, so all that were tried count.
 * $1 node, $2 seconds, $3 the new beat, $4 the last one that was confirmed and those tried since.
 */
export const EXTEND = `
update nodes set alive_until = now() + make_interval(secs => $2), beat = $3
 where id = $1 and alive_until > now() and beat = any ($4::uuid[])
returning 1`;

/**
 * Tells why a lease could not be extended: EXPIRED in time, FENCED by somebody, or TWIN: another process beats for this
 * node. No row: the node was forgotten. $1 node, $2 the beats that are ours.
 */
export const FIND_LOSS = `
select case when alive_until = '-infinity' then 'FENCED' when not beat = any ($2::uuid[]) then 'TWIN' else 'EXPIRED' end as why
  from nodes where id = $1 for update`;

/**
 * Takes calls that this process still holds from its lease that ran out under its new one, as far as nobody was faster.
 * $1 former node, $2 node, $3 rows.
 */
export const CARRY_CALLS = `
update call_rows set lease_owner = $2, updated_at = now()
 where lease_owner = $1 and id = any ($3::uuid[])
returning id`;

/** The same for everything else that stands under a node's name. $1 former node, $2 node. */
export const CARRY_REST = [
  "update tasks set lease_owner = $2 where lease_owner = $1",
  "update call_commands set node_id = $2 where node_id = $1 and settled_at is null",
  "update audit_intents set node_id = $2 where node_id = $1",
];
