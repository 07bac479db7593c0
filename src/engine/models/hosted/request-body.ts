import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { isRecord } from "./schema-shape.ts";

type Body = Record<string, unknown>;

/** Members of a request that make up the conversation, in any provider's protocol: no extra body may set them. */
const OWN_MEMBERS = new Set(
  `model messages contents system systemInstruction system_instruction tools toolConfig tool_choice stream
   response_format output_config`.split(/\s+/),
);

/** Returns the first member of an extra body that the service itself sets; undefined when there is none. */
export function findOwnMember(extra: Body): string | undefined {
  return Object.keys(extra).find((name) => OWN_MEMBERS.has(name));
}

/**
 * Wraps a fetch so that JSON bodies are sent as `traits` fits them, with the members of `extra`, which take precedence.
 */
export function changeBody(fetch: WebFetch, extra: Body, traits: { fit(body: Body): Body } | null): WebFetch {
  if (traits === null && Object.keys(extra).length === 0) return fetch;
  return (input, init) => {
    if (typeof init?.body !== "string") return fetch(input, init);
    const body = JSON.parse(init.body) as Body;
    const fitted = traits ? traits.fit(body) : body;
    return fetch(input, { ...init, body: JSON.stringify(merge(fitted, extra)) });
  };
}

function merge(body: Body, extra: Body): Body {
  const merged = { ...body };
  for (const [name, value] of Object.entries(extra)) {
    const before = merged[name];
    merged[name] = isRecord(before) && isRecord(value) ? merge(before, value) : value;
  }
  return merged;
}
