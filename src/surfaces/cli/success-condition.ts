import type { SuccessCondition } from "@parley/sdk";
import { InvalidArgumentError } from "commander";

const SIGNS = { "!=": "NOT_EQUALS", "=": "EQUALS", ">": "ABOVE", "<": "BELOW" } as const;
const SAID = { EQUALS: "=", NOT_EQUALS: "!=", ABOVE: ">", BELOW: "<", ONE_OF: "=" } as const;

/** Reads a condition of success: attending=true, guests>1, plan=A,B, reason!=late, slot (is given), -slot (is not). */
export function parseCondition(text: string, before: SuccessCondition[] = []): SuccessCondition[] {
  const [, not, field = "", sign, value = ""] = /^(-?)([^=!<>\s-][^=!<>\s]*)(?:(!=|[=<>])(.+))?$/s.exec(text) ?? [];
  if (field === "" || (not && sign))
    throw new InvalidArgumentError(
      "It is a field with =, !=, > or < and a value, FIELD (is given), or -FIELD (is not).",
    );
  if (sign === undefined) return [...before, { field, operator: not ? "IS_NOT_SET" : "IS_SET" }];
  const values = value.split(",").map(readValue);
  const operator = SIGNS[sign as keyof typeof SIGNS];
  if (operator === "EQUALS" && values.length > 1) return [...before, { field, operator: "ONE_OF", value: values }];
  return [...before, { field, operator, value: readValue(value) }];
}

/** Writes a condition as `parseCondition` reads it. */
export function sayCondition({ field, operator, value }: SuccessCondition): string {
  if (operator === "IS_SET") return field;
  if (operator === "IS_NOT_SET") return `-${field}`;
  return `${field}${SAID[operator]}${Array.isArray(value) ? value.join(",") : String(value as string)}`;
}

/** A number, true or false where it is written as one; else the text. */
function readValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}
