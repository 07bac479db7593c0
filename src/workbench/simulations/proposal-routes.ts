import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { type ProposeParts, proposeSuite, SuiteProposal } from "./propose-suite.ts";

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 4_000 }), { maxItems: 20 });

const SentenceInput = Type.Object({
  rowId: Uuid,
  says: Type.Optional({ ...Words, description: "Words that a line of the agent must have." }),
  neverSays: Type.Optional({ ...Words, description: "Words that no line of the agent may have." }),
});

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
    route({
      audience: "external",
      tag: "Simulations",
      method: "POST",
      path: "/api/external/v1/simulations/sentences",
      access: ["CALL_HISTORY_READ", "CALL_JOBS_READ"],
      summary: "Make a test suite from a sentence of a call that should have been another one (extension)",
      description:
        "The suite of the call, in which the agent must say some words, or must not say others again. Personal data in them is replaced as in the call. Nothing is stored. 409 as for the suite of a call.",
      body: SentenceInput,
      replies: { 200: SuiteProposal },
      run: ({ caller, body: { rowId, says = [], neverSays = [] } }) =>
        proposeSuite(database, context, caller.workspaceId, rowId, { says, neverSays }),
    }),
  ];
}
