import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Things that a list of uses names at most. */
export const SHOWN_USES = 20;

/** Kinds of things that use a flow. */
export const FLOW_USE_KINDS = ["PHONE_NUMBER", "CALL_JOB", "WIDGET", "LEAD_SOURCE", "FLOW"] as const;
export type FlowUseKind = (typeof FLOW_USE_KINDS)[number];

/** Something that uses a flow, as one row of the kind's first ones. */
export interface FlowUseRow {
  kind: FlowUseKind;
  id: string;
  name: string;
  /** Calls of a job that are still to come; null for everything else. */
  waiting: number | null;
  /** True when it takes the flow only as the workspace's default. */
  by_default: boolean;
  /** All of its kind. */
  total: number;
}

/**
 * Lists what uses a flow: numbers that people call, jobs under way, chat widgets, lead sources and flows that run it in
 * a stage. SQL here, since the other rooms import flows/. Everything but jobs is a short list in each workspace, and
 * jobs under way have an index of their own.
 */
export function listUses(db: Executor, workspaceId: string, flowId: string): Promise<FlowUseRow[]> {
  return all(
    db,
    sql`with usual as (
          select default_flow_id = ${flowId}::uuid as is_default from workspaces where id = ${workspaceId}
        ), used as (
          select 'PHONE_NUMBER' as kind, id, number as name, null::int as waiting, inbound_flow_id is null as by_default
            from phone_numbers, usual
           where workspace_id = ${workspaceId} and status <> 'RELEASED'
             and (inbound_flow_id = ${flowId}::uuid or inbound_flow_id is null and usual.is_default)
          union all
          select 'CALL_JOB', id, name, greatest(0, total_rows - processed_rows), false from call_jobs
           where workspace_id = ${workspaceId} and status in ('IMPORTING', 'RUNNING', 'PAUSED') and flow_id = ${flowId}
          union all
          select 'WIDGET', id, name, null, flow_id is null from widgets, usual
           where workspace_id = ${workspaceId} and active
             and (flow_id = ${flowId}::uuid or flow_id is null and usual.is_default)
          union all
          select 'LEAD_SOURCE', id, name, null, flow_id is null from lead_sources, usual
           where workspace_id = ${workspaceId} and active
             and (flow_id = ${flowId}::uuid or flow_id is null and usual.is_default)
          union all
          select 'FLOW', id, coalesce(definition ->> 'name', api_id), null, false from flows
           where workspace_id = ${workspaceId} and id <> ${flowId}
             and position(${`"${flowId}"`} in (definition -> 'stages')::text) > 0
        ), placed as (
          select used.*, count(*) over (partition by kind)::int as total,
                 row_number() over (partition by kind order by by_default, waiting desc nulls last, name, id) as place
            from used)
        select kind, id, name, waiting, by_default, total from placed where place <= ${SHOWN_USES}
         order by kind, place`,
  );
}
