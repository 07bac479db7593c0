import { findAnthropicRefusals } from "./anthropic-rules.ts";
import { findGoogleRefusals } from "./google-rules.ts";
import { findOpenAiRefusals } from "./openai-rules.ts";

/** How a vendor refuses a request: its status, its body, and why in words. */
export interface VendorRefusal {
  status: number;
  body: string;
  why: string;
}

/** What the vendor whose path this is refuses of a request; null when it takes it, or the path is none of a model. */
export function refuseAsVendor(path: string, body: Record<string, unknown>): VendorRefusal | null {
  const bare = path.split("?")[0] ?? "";
  if (bare.endsWith("/chat/completions")) {
    const [refusal, ...more] = findOpenAiRefusals(body);
    if (!refusal) return null;
    const error = { type: "invalid_request_error", ...refusal };
    return toRefusal(
      { error },
      [refusal, ...more].map(({ message }) => message),
    );
  }
  if (bare.endsWith("/messages")) {
    const refusals = findAnthropicRefusals(body);
    const error = { type: "invalid_request_error", message: refusals[0] };
    return refusals.length === 0 ? null : toRefusal({ type: "error", error }, refusals);
  }
  if (/:(stream)?generateContent$/i.test(bare)) {
    const refusals = findGoogleRefusals(body);
    const error = { code: 400, message: refusals[0], status: "INVALID_ARGUMENT" };
    return refusals.length === 0 ? null : toRefusal({ error }, refusals);
  }
  return null;
}

function toRefusal(body: object, why: string[]): VendorRefusal {
  return { status: 400, body: JSON.stringify(body), why: why.join("; ") };
}
