import { nullable, oneOf, type Static, Timestamp, Type } from "#src/platform/http/schemas.ts";

/**
 * LONG_SILENCE: the person has said nothing while the agent waited for 15 s. ANGER: their latest words are angry.
 * OPT_OUT_DOUBTFUL: they may have asked for no more contact, and nothing came of it yet. TOOL_FAILING: tools failed
 * twice in a row.
 */
export const ALERT_KINDS = ["LONG_SILENCE", "ANGER", "OPT_OUT_DOUBTFUL", "TOOL_FAILING"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** An alert of a call. */
export const CallAlert = Type.Object(
  {
    kind: oneOf(
      ALERT_KINDS,
      "LONG_SILENCE: the person said nothing for 15 s while the agent waited; ANGER: their words were angry; OPT_OUT_DOUBTFUL: they may have asked for no more contact; TOOL_FAILING: tools failed twice in a row.",
    ),
    state: oneOf(["OPEN", "CLEARED"], "CLEARED: what it was about is over, or the call is."),
    raisedAt: Timestamp,
    clearedAt: nullable(Timestamp),
    times: Type.Integer({ minimum: 1, description: "How often it was raised; raisedAt is the latest." }),
  },
  { $id: "CallAlert" },
);
export type CallAlert = Static<typeof CallAlert>;

const time = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL expression: the alerts of the row `r` as a JSON array, null for none. A call that is over has none open. */
export const ALERTS_SQL = `(select json_agg(json_build_object('kind', w.kind,
      'state', case when w.cleared_at is null and r.ended_at is null then 'OPEN' else 'CLEARED' end,
      'raisedAt', ${time("w.raised_at")}, 'clearedAt', ${time("coalesce(w.cleared_at, r.ended_at)")}, 'times', w.times)
      order by w.raised_at, w.kind)
    from call_alerts w where w.workspace_id = r.workspace_id and w.row_id = r.id)`;
