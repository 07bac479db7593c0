import type { RefusalMemory } from "./refusal-memory.ts";
import { isAzureHost } from "./vendors.ts";

/** Optional parameters of chat completions that some models or servers refuse. */
const OPTIONAL_PARAMETERS = [
  "max_completion_tokens",
  "max_tokens",
  "temperature",
  "reasoning_effort",
  "stream_options",
] as const;
type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number];

const SAYS_NO =
  /unsupported|not supported|does not support|unrecognized|unknown|unexpected|extra (inputs|fields)|not permitted|not allowed|incompatible|invalid|too (large|high)|deprecated/i;
const OFFICIAL_HOST = "api.openai.com";

type Body = Record<string, unknown>;

/** True for models that reason before they answer, by OpenAI's names, also behind a vendor's prefix. */
export function isReasoningModel(model: string): boolean {
  const name = model.split("/").at(-1) ?? "";
  return /^(o\d|gpt-(?:[5-9]|\d\d))/i.test(name) && !/chat/i.test(name);
}

/** A request that a server did not accept in its form. */
export interface Refusal {
  /** The request as the provider's library made it, before it was fitted. */
  body: Body;
  sentAtMs: number;
  message: string;
  /** The parameter that the server names as such, where it does. */
  parameter: string | null;
}

/**
 * Parameters that a model of an OpenAI-compatible server accepts: first by its family, then learnt from its refusals.
 * Sessions share them, so they know of no request: one that is refused may have been sent before another was learnt
 * from.
 */
export class RequestTraits {
  readonly #server: string;
  readonly #memory: RefusalMemory;
  readonly #isOfficial: boolean;
  readonly #isReasoning: boolean;

  constructor(baseUrl: string, model: string, memory: RefusalMemory) {
    this.#server = `${baseUrl} ${model}`;
    this.#memory = memory;
    this.#isOfficial = URL.parse(baseUrl)?.hostname === OFFICIAL_HOST || isAzureHost(baseUrl);
    this.#isReasoning = isReasoningModel(model);
  }

  /** Returns the body in the form that this model accepts, as far as it was known at a time. */
  fit(body: Body, atMs = performance.now()): Body {
    const { max_tokens: older, max_completion_tokens: newer, ...rest } = body;
    const tokens = older ?? newer;
    const limit = this.#nameOfLimit(atMs);
    const fitted: Body = { ...rest, ...(limit === null || tokens === undefined ? {} : { [limit]: tokens }) };
    // Reasoning models accept only their default temperature.
    if (this.#isReasoning) delete fitted.temperature;
    for (const name of OPTIONAL_PARAMETERS) if (this.#refuses(name, atMs)) delete fitted[name];
    return fitted;
  }

  /** Learns from a refusal. Returns true when the next request will differ. */
  learn({ body, sentAtMs, message, parameter }: Refusal): boolean {
    const fitted = this.fit(body, sentAtMs);
    const sent = OPTIONAL_PARAMETERS.filter((name) => fitted[name] !== undefined);
    const named = sent.find((name) => name === parameter) ?? (SAYS_NO.test(message) ? firstNamed(message, sent) : null);
    if (named === null) return false;
    this.#memory.note(this.#server, named);
    return true;
  }

  /**
   * Returns the parameter for the token limit. OpenAI accepts the newer name for all its models; other servers mostly
   * know the older one.
   */
  #nameOfLimit(atMs: number): "max_tokens" | "max_completion_tokens" | null {
    const names = ["max_completion_tokens", "max_tokens"] as const;
    const preferred = this.#isOfficial || this.#isReasoning ? names : names.toReversed();
    return preferred.find((name) => !this.#refuses(name, atMs)) ?? null;
  }

  #refuses(name: OptionalParameter, atMs: number): boolean {
    return this.#memory.has(this.#server, name, atMs);
  }
}

function firstNamed(message: string, names: OptionalParameter[]): OptionalParameter | null {
  const found = names.map((name) => ({ name, at: message.search(new RegExp(`\\b${name}\\b`)) }));
  return found.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)[0]?.name ?? null;
}
