import type { ToolParts } from "#src/authoring/tools/tools.ts";
import type { Database } from "#src/platform/db/database.ts";
import { type Caller, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { editorOf } from "./editor.ts";
import {
  type AssertMay,
  exportFlow,
  FlowDocument,
  FlowDocumentInput,
  FlowImport,
  importFlow,
} from "./flow-document.ts";

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
        "All or nothing, with new ids. Also needs TOOLS_WRITE and STRUCTURED_OUTPUTS_WRITE when the document holds any.",
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
  ];
}

function assertMay({ permissions }: Caller, how: "READ" | "WRITE"): AssertMay {
  return (what) => {
    const needed = `${what}_${how}`;
    if (!permissions.has(needed)) throw new AppError("FORBIDDEN", `The document holds what needs ${needed}.`);
  };
}
