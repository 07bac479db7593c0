import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery } from "#src/platform/http/paging.ts";
import { EXTERNAL_API, type Route, route } from "#src/platform/http/route.ts";
import { oneOf, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { Balance, getBalance } from "./balance.ts";
import { getEntries, getSummary, UsageEntry, UsageSummary } from "./entries.ts";
import { USAGE_KINDS } from "./prices.ts";

const common = { audience: "external", tag: "Balance", method: "GET", access: ["BALANCE_READ"] } as const;
const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "UTC day, such as 2026-12-01." });

/** Balance and ledger. */
export function usageRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      path: `${EXTERNAL_API}/balance`,
      summary: "Read the balance",
      description:
        "Exact at the moment it is read. The sandbox bills nothing; simulatedTotal shows what it would have cost.",
      replies: { 200: Balance },
      run: ({ caller }) => getBalance(db, caller.workspaceId),
    }),
    route({
      ...common,
      path: `${EXTERNAL_API}/usage`,
      summary: "List the entries of the usage ledger, newest first (extension)",
      query: Type.Object({
        ...pageQuery,
        from: Type.Optional(Timestamp),
        to: Type.Optional(Timestamp),
        kind: Type.Optional(oneOf(USAGE_KINDS, "What was used.")),
        subjectId: Type.Optional(Uuid),
      }),
      replies: { 200: pageOf(UsageEntry, "UsagePage") },
      run: ({ caller, query }) => getEntries(db, caller.workspaceId, query),
    }),
    route({
      ...common,
      path: `${EXTERNAL_API}/usage/summary`,
      summary: "Sum up usage by UTC day and kind (extension)",
      query: Type.Object({ from: Type.Optional(Day), to: Type.Optional(Day) }),
      replies: { 200: UsageSummary },
      run: ({ caller, query }) => getSummary(db, caller.workspaceId, query),
    }),
  ];
}
