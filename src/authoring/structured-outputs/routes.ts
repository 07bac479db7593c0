import type { Database } from "#src/platform/db/database.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  changeOutput,
  createOutput,
  getOutputs,
  removeOutput,
  StructuredOutput,
  StructuredOutputChange,
  StructuredOutputInput,
} from "./structured-outputs.ts";

const PATH = "/api/external/v1/structured-outputs";
const READ = ["STRUCTURED_OUTPUTS_READ"];
const WRITE = ["STRUCTURED_OUTPUTS_WRITE"];
const common = { audience: "external", tag: "Structured outputs" } as const;
const params = Type.Object({ id: Uuid });

/** Structured outputs. */
export function structuredOutputRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List structured outputs",
      replies: { 200: Type.Array(StructuredOutput) },
      run: ({ caller }) => getOutputs(db, caller.workspaceId),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a structured output",
      idempotent: true,
      body: StructuredOutputInput,
      replies: { 201: StructuredOutput },
      run: ({ tx, caller, body }) => createOutput(tx, caller.workspaceId, body),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Change a structured output; sent fields are merged",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: StructuredOutputChange,
      replies: { 200: StructuredOutput },
      run: ({ caller, params: { id }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeOutput(tx, caller.workspaceId, id, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Delete a structured output for good",
      params,
      replies: { 204: null },
      run: ({ caller, params: { id } }) => removeOutput(db, caller.workspaceId, id),
    }),
  ];
}
