import { t } from "#web/i18n/t.ts";
import { formatDay } from "#web/ui/format/format.ts";

const YES_NO: Record<string, string> = { true: t`Yes`, false: t`No` };

/** Value of an extracted field in words: `true` as Yes, a date as people write it. */
export function sayValue(value: string): string {
  return YES_NO[value] ?? formatDay(value);
}

/** Says the value of a field that counts as a success: `Will come is Yes`. */
export function sayGoal(
  { field, value }: { field: string; value: string },
  titleOf: (field: string) => string,
): string {
  return t`${titleOf(field)} is ${sayValue(value)}`;
}
