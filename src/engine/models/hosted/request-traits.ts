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

/**
 * Parameters that a model of an OpenAI-compatible server accepts: first by its family, then learnt from its refusals.
 */
export class RequestTraits {
  readonly #server: string;
  readonly #memory: RefusalMemory;
  readonly #isOfficial: boolean;
  readonly #isReasoning: boolean;
  #sent: Body = {};

  constructor(baseUrl: string, model: string, memory: RefusalMemory) {
    this.#server = `${baseUrl} ${model}`;
    this.#memory = memory;
    this.#isOfficial = URL.parse(baseUrl)?.hostname === OFFICIAL_HOST || isAzureHost(baseUrl);
    this.#isReasoning = isReasoningModel(model);
  }

  /** Returns the body in the form that this model accepts. */
  fit(body: Body): Body {
    const { max_tokens: older, max_completion_tokens: newer, ...rest } = body;
    const tokens = older ?? newer;
    const limit = this.#nameOfLimit();
    const fitted: Body = { ...rest, ...(limit === null || tokens === undefined ? {} : { [limit]: tokens }) };
    // Reasoning models accept only their default temperature.
    if (this.#isReasoning) delete fitted.temperature;
    for (const name of OPTIONAL_PARAMETERS) if (this.#refuses(name)) delete fitted[name];
    this.#sent = fitted;
    return fitted;
  }

  /** Learns from a refusal. Returns true when the next request will differ. */
  learn(message: string, parameter: string | null): boolean {
    const sent = OPTIONAL_PARAMETERS.filter((name) => this.#sent[name] !== undefined);
    const named = sent.find((name) => name === parameter) ?? (SAYS_NO.test(message) ? firstNamed(message, sent) : null);
    if (named === null) return false;
    this.#memory.note(this.#server, named);
    return true;
  }

  /**
   * Returns the parameter for the token limit. OpenAI accepts the newer name for all its models; other servers mostly
   * know the older one.
   */
  #nameOfLimit(): "max_tokens" | "max_completion_tokens" | null {
    const names = ["max_completion_tokens", "max_tokens"] as const;
    const preferred = this.#isOfficial || this.#isReasoning ? names : names.toReversed();
    return preferred.find((name) => !this.#refuses(name)) ?? null;
  }

  #refuses(name: OptionalParameter): boolean {
    return this.#memory.has(this.#server, name);
  }
}

function firstNamed(message: string, names: OptionalParameter[]): OptionalParameter | null {
  const found = names.map((name) => ({ name, at: message.search(new RegExp(`\\b${name}\\b`)) }));
  return found.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)[0]?.name ?? null;
}
