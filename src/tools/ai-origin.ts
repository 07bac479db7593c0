import type { IncomingHttpHeaders } from "node:http";
import { Type } from "#src/http/schemas.ts";
import { AppError } from "#src/kernel/errors.ts";
import { isUuid } from "#src/kernel/id.ts";

/** Which agent or flow wrote a tool, as far as it says. */
export interface AiOrigin {
  agentId: string | null;
  flowId: string | null;
}

const HEADER = "X-Service-Ai-Origin";

/** The header, for the document. */
export const AiOriginHeaders = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      description:
        'Marks the tool as written by an AI: "true", the id of an agent, or "agent=<uuid>; flow=<uuid>" (either or both). "false" says nothing.',
    }),
  ),
});

/** Reads X-Service-Ai-Origin; null when no AI wrote the request. 400 for anything else than its four forms. */
export function readAiOrigin(headers: IncomingHttpHeaders): AiOrigin | null {
  const header = headers[HEADER.toLowerCase()];
  if (header === undefined) return null;
  const text = String(header).trim();
  if (/^false$/i.test(text)) return null;
  if (/^true$/i.test(text)) return { agentId: null, flowId: null };
  if (isUuid(text)) return { agentId: text.toLowerCase(), flowId: null };
  const named = new Map<string, string>();
  for (const part of text.split(";")) {
    const [, name = "", id = ""] = /^\s*(agent|flow)\s*=\s*(\S+)\s*$/i.exec(part) ?? [];
    if (!isUuid(id) || named.has(name.toLowerCase())) throw malformed();
    named.set(name.toLowerCase(), id.toLowerCase());
  }
  return { agentId: named.get("agent") ?? null, flowId: named.get("flow") ?? null };
}

function malformed(): AppError {
  const message = 'must be "true", "false", a uuid, or agent=<uuid>; flow=<uuid>.';
  return new AppError("INVALID_HEADER", `${HEADER} ${message}`, [{ path: HEADER, code: "FORMAT", message }]);
}
