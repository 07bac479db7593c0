import type { Executor } from "#src/platform/db/database.ts";
import { assertBefore, ifUnchangedBody } from "#src/platform/http/precondition.ts";
import { nullable, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { SuccessCondition } from "./success-condition.ts";
import { saveSuccess } from "./success-sql.ts";
import { findOwn, lockOwn } from "./versions.ts";

const WITHOUT_VALUE = new Set<string>(["IS_SET", "IS_NOT_SET"]);
const MAX_CONDITIONS = 10;
const MAX_VALUES = 50;
const MAX_TEXT = 500;

/** Conditions under which a call of a flow is a success. */
export const FlowSuccess = Type.Object(
  {
    conditions: nullable(
      Type.Array(SuccessCondition, {
        maxItems: MAX_CONDITIONS,
        description:
          "A call succeeds when a person answered and all of these hold. Null: when the person spoke, the call COMPLETED, no limit cut it off, its outputs are valid and not all empty, and no tool was left failed.",
      }),
    ),
  },
  { $id: "FlowSuccess" },
);
export type FlowSuccess = Static<typeof FlowSuccess>;

/** Body of a change of the success condition. */
export const FlowSuccessInput = Type.Object(
  { ...FlowSuccess.properties, ...ifUnchangedBody },
  { $id: "FlowSuccessInput" },
);

/** Returns what counts as a success of a flow. */
export async function getSuccess(db: Executor, workspaceId: string, flowId: string): Promise<FlowSuccess> {
  return { conditions: (await findOwn(db, workspaceId, flowId)).success };
}

/**
 * Changes what counts as a success of a flow, of all of its versions alike. The calls there are so far are counted
 * anew in the background. Null or an empty list brings the rule back that holds without a condition.
 */
export async function changeSuccess(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  body: Static<typeof FlowSuccessInput>,
): Promise<FlowSuccess> {
  const row = await lockOwn(tx, workspaceId, flowId);
  assertBefore({ conditions: row.success }, body.before);
  const conditions = body.conditions?.length ? body.conditions.map(readCondition) : null;
  await saveSuccess(tx, workspaceId, row.id, conditions);
  return { conditions };
}

function readCondition({ field, operator, value }: SuccessCondition, i: number): SuccessCondition {
  const at = `conditions.${i}.value`;
  if (WITHOUT_VALUE.has(operator)) return { field, operator };
  if (operator === "ONE_OF") {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    if (list.length === 0 || list.length > MAX_VALUES || !list.every(isPlain)) {
      throw fieldError(at, "VALUE", `must be a list of 1 to ${MAX_VALUES} texts, numbers, true or false.`);
    }
    return { field, operator, value: list };
  }
  if (!isPlain(value)) throw fieldError(at, "VALUE", "must be a text, a number, true or false.");
  if ((operator === "ABOVE" || operator === "BELOW") && typeof value === "boolean") {
    throw fieldError(at, "VALUE", "must be a number or a date to compare with.");
  }
  return { field, operator, value };
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && value.length <= MAX_TEXT && !value.includes("\u0000");
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}
