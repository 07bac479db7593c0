import type { ToolParts } from "#src/authoring/tools/tools.ts";
import type { Database } from "#src/platform/db/database.ts";
import { type Caller, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { applyFlows, FlowsApplied, FlowsToApply } from "./apply-flows.ts";
import { editorOf } from "./editor.ts";
import { exportFlow, FlowDocument, FlowDocumentInput, FlowImport, importFlow } from "./flow-document.ts";

const PATH = "/api/external/v1/flows";
const DOCUMENT_BYTES = 8 * 1024 * 1024;
const common = { audience: "external", tag: "Flows" } as const;

/** Flows as files: extensions. */
export function flowDocumentRoutes({ db }: Database, parts: ToolParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{flowId}/export`,
      access: ["FLOWS_READ"],
      summary: "Export a flow with its tools and structured outputs as one document (extension)",
      description:
        "Header values that carry credentials are left out and listed. Also needs TOOLS_READ and STRUCTURED_OUTPUTS_READ when the flow names any.",
      params: Type.Object({ flowId: Uuid }),
      query: Type.Object({
        version: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Default: the published one." }),
        ),
      }),
      replies: { 200: FlowDocument },
      run: ({ caller, params: { flowId }, query: { version } }) =>
        exportFlow(db, parts, caller.workspaceId, { flowId, version }, assertMay(caller, "READ")),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/import`,
      access: ["FLOWS_WRITE"],
      summary: "Make a flow, its tools and structured outputs from an exported document (extension)",
      description:
        "Required: format, formatVersion, flow. All or nothing, with new ids. Also needs TOOLS_WRITE and STRUCTURED_OUTPUTS_WRITE when the document holds any.",
      idempotent: true,
      bodyLimit: DOCUMENT_BYTES,
      body: FlowDocumentInput,
      replies: { 201: FlowImport },
      run: ({ tx, caller, body, warnings }) =>
        importFlow(
          tx,
          parts,
          { workspaceId: caller.workspaceId, editor: editorOf(caller), warnings },
          body,
          assertMay(caller, "WRITE"),
        ),
    }),
    applyRoute(parts),
  ];
}

function applyRoute(parts: ToolParts): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/apply`,
    access: ["FLOWS_WRITE", "TOOLS_WRITE", "STRUCTURED_OUTPUTS_WRITE"],
    summary: "Make flows, tools and structured outputs equal to files (extension)",
    description:
      "All or nothing. apiId names a flow, and the id a tool or an output; those that the workspace does not have are made. A field that is left out is cleared, a masked secret stays as it is stored, and what is equal gets no new version. Needs FLOWS_WRITE, TOOLS_WRITE and STRUCTURED_OUTPUTS_WRITE for what the body holds.",
    idempotent: true,
    bodyLimit: DOCUMENT_BYTES,
    body: FlowsToApply,
    replies: { 200: FlowsApplied },
    run: ({ tx, caller, body, warnings }) =>
      applyFlows(tx, parts, body, {
        workspaceId: caller.workspaceId,
        editor: editorOf(caller),
        warnings,
        assertMay: assertMay(caller, "WRITE"),
      }),
  });
}

function assertMay({ permissions }: Caller, how: "READ" | "WRITE") {
  return (what: "FLOWS" | "TOOLS" | "STRUCTURED_OUTPUTS"): void => {
    const needed = `${what}_${how}`;
    if (!permissions.has(needed)) throw new AppError("FORBIDDEN", `The document holds what needs ${needed}.`);
  };
}
