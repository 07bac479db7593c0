import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { type ProposeParts, proposeSuite, SuiteProposal } from "./propose-suite.ts";

/** Returns the routes for suites made from calls, an extension. */
export function proposalRoutes(database: Database, context: ProposeParts): Route[] {
  return [
    route({
      audience: "external",
      tag: "Simulations",
      method: "POST",
      path: "/api/external/v1/call-rows/{rowId}/simulation",
      access: ["CALL_HISTORY_READ", "CALL_JOBS_READ"],
      summary: "Make a test suite from a call, without personal data (extension)",
      description:
        "A persona that says what the person said, mocks that answer as the tools did, and expectations of what came of the call. Nothing is stored. 409 while the call goes on, and when nothing was said in it.",
      params: Type.Object({ rowId: Uuid }),
      replies: { 200: SuiteProposal },
      run: ({ caller, params: { rowId } }) => proposeSuite(database, context, caller.workspaceId, rowId),
    }),
  ];
}
