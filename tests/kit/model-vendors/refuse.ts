import { findAnthropicRefusals } from "./anthropic-rules.ts";
import { findBedrockRefusals } from "./bedrock-rules.ts";
import { findGoogleRefusals } from "./google-rules.ts";
import { findContractFaults } from "./openai-contract.ts";
import { findEmbeddingRefusals, findOpenAiRefusals, type Refusal } from "./openai-rules.ts";

/** Refusal of a request by a vendor: its status, its body, and the reason in words. */
export interface VendorRefusal {
  status: number;
  body: string;
  why: string;
}

/**
 * Returns the refusal of the vendor whose path this is; null when it accepts the request, or the path is not a model's.
 */
export function refuseAsVendor(path: string, body: Record<string, unknown>): VendorRefusal | null {
  const bare = path.split("?")[0] ?? "";
  if (bare.endsWith("/chat/completions"))
    return toOpenAiRefusal(findOpenAiRefusals(body), findContractFaults("CreateChatCompletionRequest", body));
  if (bare.endsWith("/embeddings"))
    return toOpenAiRefusal(findEmbeddingRefusals(body), findContractFaults("CreateEmbeddingRequest", body));
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
  if (/\/model\/[^/]+\/converse(-stream)?$/.test(bare)) {
    const refusals = findBedrockRefusals(body);
    return refusals.length === 0 ? null : toRefusal({ message: refusals[0] }, refusals);
  }
  return null;
}

/**
 * Throws when a server refused anything that its test did not remove from the list: every vendor must accept what the
 * product sends. Servers of the tests call this when they are disposed, so that no test has to.
 */
export function assertNothingRefused(refused: readonly string[]): void {
  if (refused.length === 0) return;
  const first = [...new Set(refused)].slice(0, 5).join("\n  ");
  throw new Error(`The vendor would have refused ${refused.length} requests of this test:\n  ${first}`);
}

function toOpenAiRefusal(refusals: Refusal[], faults: string[]): VendorRefusal | null {
  const [refusal, ...more] = [...refusals, ...faults.map((message) => ({ message, param: null, code: null }))];
  if (!refusal) return null;
  const error = { type: "invalid_request_error", ...refusal };
  return toRefusal(
    { error },
    [refusal, ...more].map(({ message }) => message),
  );
}

function toRefusal(body: object, why: string[]): VendorRefusal {
  return { status: 400, body: JSON.stringify(body), why: why.join("; ") };
}
