import type { FieldOperator } from "./stage-plan.ts";

/** Returns whether a field compares so with the `wanted` value. A field that is not set holds for IS_NOT_SET alone. */
export function compareField(operator: FieldOperator, isSet: boolean, value: unknown, wanted: unknown): boolean {
  switch (operator) {
    case "IS_SET":
      return isSet;
    case "IS_NOT_SET":
      return !isSet;
    case "NOT_EQUALS":
      return isSet && !isSame(value, wanted);
    case "EQUALS":
      return isSet && isSame(value, wanted);
    case "ONE_OF":
      return isSet && Array.isArray(wanted) && wanted.some((one) => isSame(value, one));
    default:
      return isSet && isBeyond(value, wanted, operator);
  }
}

function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}

/** Compares numbers with numbers, and texts such as dates with texts. */
function isBeyond(value: unknown, limit: unknown, operator: "ABOVE" | "BELOW"): boolean {
  const isComparable =
    (typeof value === "number" && typeof limit === "number") ||
    (typeof value === "string" && typeof limit === "string");
  if (!isComparable) return false;
  return operator === "ABOVE" ? value > limit : value < limit;
}
