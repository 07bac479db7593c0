import type { IncomingHttpHeaders } from "node:http";
import { Type } from "#src/platform/http/schemas.ts";
import { isUuid } from "#src/platform/kernel/id.ts";

/** Agent or flow that wrote a tool, as far as the header names it. */
export interface AiOrigin {
  agentId: string | null;
  flowId: string | null;
}

const HEADER = "X-Service-Ai-Origin";

/** The header, for the OpenAPI document. */
export const AiOriginHeaders = Type.Object({
  [HEADER]: Type.Optional(
    Type.String({
      description:
        'Any text marks the tool as written by an AI, "true" for example; the id of an agent, or "agent=<uuid>; flow=<uuid>" (either or both), also names it. "false" and an empty text say nothing.',
    }),
  ),
});

/**
 * Reads X-Service-Ai-Origin, which is any text: null when the header is absent, empty or "false". An id and
 * `agent=<uuid>` or `flow=<uuid>` name the creator, the first of each; other text only marks the tool as written by an
 * AI.
 */
export function readAiOrigin(headers: IncomingHttpHeaders): AiOrigin | null {
  const header = headers[HEADER.toLowerCase()];
  const text = String(header ?? "").trim();
  if (text === "" || /^false$/i.test(text)) return null;
  const origin: AiOrigin = { agentId: null, flowId: null };
  for (const part of text.split(/[;,]/)) {
    const [, name = "agent", id = ""] = /^(?:(agent|flow)\s*=\s*)?(\S+)$/i.exec(part.trim()) ?? [];
    if (!isUuid(id)) continue;
    if (name.toLowerCase() === "flow") origin.flowId ??= id.toLowerCase();
    else origin.agentId ??= id.toLowerCase();
  }
  return origin;
}
