import { findToolTarget } from "#src/authoring/connections/connections.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { fieldError, missing } from "#src/platform/kernel/errors.ts";
import type { ToolFields } from "./tool-fields.ts";

const OUTPUT = /\{\{[^{}]*\}\}/g;
/** Stands for the value of an output: a character that no URL holds. */
const VALUE = "\u0001";

/**
 * Checks a tool against the connection that it names: the address must be the provider's, and the header of the token
 * free. A tool can always be sent back as it was: its connection may have been deleted, or signed in elsewhere. Each
 * request is checked again, also where a template is in the host.
 */
export async function assertConnection(
  tx: Executor,
  workspaceId: string,
  { connectionId, toolType, apiUrl, apiHeaders }: ToolFields,
  before: ToolFields | null,
): Promise<void> {
  if (!connectionId) return;
  if (toolType === "MCP") throw fieldError("connectionId", "TOOL_TYPE", "is not for tools of MCP servers.");
  const target = await findToolTarget(tx, workspaceId, connectionId);
  const isKept = connectionId.toLowerCase() === before?.connectionId?.toLowerCase();
  if (!target && isKept) return;
  if (!target) throw missing(`Connection ${connectionId}`);
  const own = Object.keys(apiHeaders ?? {}).find((name) => name.toLowerCase() === target.header);
  if (own !== undefined) throw fieldError(`apiHeaders.${own}`, "CONNECTION", "is set by the connection.");
  if (isKept && apiUrl === before?.apiUrl) return;
  const origin = originOf(apiUrl ?? "");
  if (origin === null || target.origins.includes(origin)) return;
  const where = target.origins.length > 0 ? `must be at ${target.origins.join(" or ")}` : "is known after the sign-in";
  throw fieldError("apiUrl", "CONNECTION_HOST", `${where}, where the connection's token may be sent.`);
}

function originOf(template: string): string | null {
  const [authority = ""] = /^https?:\/\/[^/?#\\]*/i.exec(template.replaceAll(OUTPUT, VALUE)) ?? [];
  return authority.includes(VALUE) ? null : (URL.parse(authority)?.origin ?? authority);
}
