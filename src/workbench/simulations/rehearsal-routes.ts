import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Forecast } from "./rehearsal/forecast.ts";
import { rehearse, RehearsalInput, type RehearsalParts } from "./rehearsals.ts";

/** Returns the routes for forecasts of call jobs, an extension. */
export function rehearsalRoutes(database: Database, context: RehearsalParts): Route[] {
  return [
    route({
      audience: "external",
      tag: "Simulations",
      method: "POST",
      path: "/api/external/v1/simulations/rehearsals",
      access: ["CALL_JOBS_WRITE"],
      summary: "Forecast a call job against a population of personas (extension)",
      description:
        "Required: jobId or job. Nobody is called and nothing is stored: duration, attempts, outcomes and cost as they may be expected.",
      body: RehearsalInput,
      replies: { 200: Forecast },
      run: ({ caller, body }) => rehearse(database, context, caller.workspaceId, body),
    }),
  ];
}
