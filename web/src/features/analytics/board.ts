import type { ResultBoard } from "@parley/sdk";
import { RESULT_CARDS, type ResultCard } from "#web/domain/results/results-query.ts";
import { t } from "#web/i18n/t.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";

/** API path of the boards. */
export const BOARDS_PATH = "/results/boards";

/** Names of the cards. */
export const CARD_NAMES: Record<ResultCard, string> = {
  FUNNEL: t`From dial to success`,
  OUTCOMES: t`Outcomes and reasons`,
  HOURS: t`When people answer`,
  FIELDS: t`What people said`,
  VERSIONS: t`Flows and versions`,
  NUMBERS: t`Phone numbers`,
  TOOLS: t`Tools`,
};

/** Cards that the address names, in their order; all of them where it names none. */
export function readCards(names: readonly string[] | undefined): readonly ResultCard[] {
  const known = (names ?? []).filter((name): name is ResultCard => (RESULT_CARDS as readonly string[]).includes(name));
  return known.length > 0 ? known : RESULT_CARDS;
}

/** The filters of the address as a board stores them. */
export function toBoardFilters(values: FilterValues, timeZone: string): ResultBoard["filters"] {
  const only = (name: string) => values[name]?.[0];
  const goal = only("goal");
  const split = goal?.indexOf("=") ?? -1;
  const [version, days] = [only("flowVersion"), only("from") === undefined ? only("lastDays") : undefined];
  return {
    ...pick("from", only("from")),
    ...pick("to", only("to")),
    ...(days === undefined ? {} : { lastDays: Number(days) }),
    timeZone: only("timeZone") ?? timeZone,
    ...pick("flowApiId", only("flowApiId")),
    ...(version === undefined || only("flowApiId") === undefined ? {} : { flowVersion: Number(version) }),
    ...pick("jobId", only("jobId")),
    ...pick("phoneNumberId", only("phoneNumberId")),
    ...pick("channel", only("channel") as ResultBoard["filters"]["channel"]),
    ...(goal === undefined || split < 1 ? {} : { goalField: goal.slice(0, split), goalValue: goal.slice(split + 1) }),
  };
}

function pick<Name extends string, Value>(name: Name, value: Value | undefined): { [K in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
}

/** A board's filters and cards as the address has them. */
export function toValues({ id, filters, cards }: ResultBoard): FilterValues {
  const { goalField, goalValue, ...plain } = filters;
  const texts = Object.entries(plain).map(([name, value]): [string, string[]] => [name, [String(value)]]);
  return {
    ...Object.fromEntries(texts),
    ...(goalField === undefined || goalValue === undefined ? {} : { goal: [`${goalField}=${goalValue}`] }),
    cards: [...cards],
    board: [id],
  };
}
