import { compareField } from "#src/engine/stages/compare-field.ts";
import { FIELD_OPERATORS } from "#src/engine/stages/stage-plan.ts";
import { anyValue, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";

/** A condition on one extracted field of a call. */
export const SuccessCondition = Type.Object(
  {
    field: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "An extracted field; a nested one by its path, such as visit.attending.",
    }),
    operator: oneOf(FIELD_OPERATORS),
    value: Type.Optional(anyValue("A text, a number, true or false; a list of them for ONE_OF.")),
  },
  { $id: "SuccessCondition" },
);
export type SuccessCondition = Static<typeof SuccessCondition>;

/** Returns whether all conditions hold on a call's extracted fields, by their dotted paths. */
export function meetsAll(conditions: readonly SuccessCondition[], fields: ReadonlyMap<string, unknown>): boolean {
  return conditions.every((condition) => meets(condition, fields.get(condition.field)));
}

function meets({ operator, value: wanted }: SuccessCondition, value: unknown): boolean {
  const isSet = value !== undefined && value !== null && value !== "";
  return compareField(operator, isSet, value, wanted);
}

const WORDS: Record<SuccessCondition["operator"], string> = {
  EQUALS: "is",
  NOT_EQUALS: "is not",
  ABOVE: "is above",
  BELOW: "is below",
  ONE_OF: "is one of",
  IS_SET: "is given",
  IS_NOT_SET: "is not given",
};

/** Says conditions in words: `attending is true and guests is above 1`. */
export function sayConditions(conditions: readonly SuccessCondition[]): string {
  return conditions
    .map(({ field, operator, value }) => [field, WORDS[operator], sayValue(value)].filter(Boolean).join(" "))
    .join(" and ");
}

function sayValue(value: unknown): string {
  return Array.isArray(value)
    ? value.join(", ")
    : value === undefined
      ? ""
      : String(value as string | number | boolean);
}
