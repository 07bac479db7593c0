import { DEFAULT_PRICES_SQL } from "./prices.ts";

/**
 * Charges for usage, as common table expressions after one named `used` (workspace_id, id, kind, quantity, simulated,
 * subject_type, subject_id): an entry for each row, priced by the workspace's list, and one sum for each workspace,
 * kind and simulated flag. Shared by FINISH, where they commit with the end of the calls, and by `recordUsage`.
 */
export const CHARGE_SQL = `
priced as materialized (
  select u.workspace_id, u.id, u.kind, u.quantity, u.simulated, u.subject_type, u.subject_id,
         coalesce(p.unit_price, d.unit_price) as unit_price, u.quantity * coalesce(p.unit_price, d.unit_price) as amount
    from used u
    join ${DEFAULT_PRICES_SQL} on d.kind = u.kind
    left join prices p on p.workspace_id = u.workspace_id and p.kind = u.kind
),
entered as (
  insert into usage_entries (workspace_id, id, kind, quantity, unit_price, amount, simulated, subject_type, subject_id)
  select workspace_id, id, kind, quantity, unit_price, amount, simulated, subject_type, subject_id from priced
),
summed as (
  insert into usage_deltas (workspace_id, id, day, kind, simulated, entries, quantity, amount)
  select workspace_id, (array_agg(id))[1], (now() at time zone 'UTC')::date, kind, simulated, count(*), sum(quantity),
         sum(amount)
    from priced group by workspace_id, kind, simulated
)`;
