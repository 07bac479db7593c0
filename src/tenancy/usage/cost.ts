import { type Static, Type } from "#src/platform/http/schemas.ts";
import { toMoney } from "./money.ts";
import { DEFAULT_CURRENCY } from "./prices.ts";

/** Cost of one call, chat or transcription, by its entries in the ledger. */
export const Cost = Type.Object(
  {
    amount: Type.String({ description: "Decimal." }),
    currency: Type.String({ description: "ISO 4217." }),
    simulated: Type.Boolean({ description: "Carried by the sandbox: what it would have cost; nothing is billed." }),
    breakdown: Type.Object({
      telephony: Type.String(),
      llm: Type.String(),
      stt: Type.String(),
      tts: Type.String(),
      messaging: Type.String(),
    }),
  },
  { $id: "Cost" },
);
export type Cost = Static<typeof Cost>;

/** A cost as `costSql` reads it. */
export type CostRecord = Omit<Cost, "breakdown"> & Cost["breakdown"];

const PARTS = {
  telephony: ["TELEPHONY_SECOND"],
  llm: ["MODEL_INPUT_TOKEN", "MODEL_CACHED_INPUT_TOKEN", "MODEL_OUTPUT_TOKEN"],
  stt: ["TRANSCRIPTION_SECOND"],
  tts: ["SPEECH_SECOND"],
  messaging: ["SMS_SEGMENT", "WHATSAPP_MESSAGE"],
};

/**
 * SQL expression: the cost of a subject as one JSON object, for `toCost`. `simulatedIfUnused` is an expression too,
 * true when the sandbox carried a subject without usage.
 */
export function costSql(workspaceId: string, subjectId: string, simulatedIfUnused: string): string {
  const parts = Object.entries(PARTS).map(([name, kinds]) => {
    const list = kinds.map((kind) => `'${kind}'`).join(", ");
    return `'${name}', coalesce(sum(u.amount) filter (where u.kind in (${list})), 0)::text`;
  });
  return `(select json_build_object('amount', coalesce(sum(u.amount), 0)::text, ${parts.join(", ")},
      'simulated', coalesce(bool_and(u.simulated), ${simulatedIfUnused}),
      'currency', coalesce((select a.currency from usage_accounts a where a.workspace_id = ${workspaceId}), '${DEFAULT_CURRENCY}'))
    from usage_entries u where u.workspace_id = ${workspaceId} and u.subject_id = ${subjectId})`;
}

/** The cost as the API shows it. */
export function toCost(record: CostRecord): Cost {
  const { telephony, llm, stt, tts, messaging } = record;
  return {
    amount: toMoney(record.amount),
    currency: record.currency,
    simulated: record.simulated,
    breakdown: {
      telephony: toMoney(telephony),
      llm: toMoney(llm),
      stt: toMoney(stt),
      tts: toMoney(tts),
      messaging: toMoney(messaging),
    },
  };
}
