import type { RefusalMemory } from "./refusal-memory.ts";

/** Parameters of chat completions that some models or servers refuse, and all can do without. */
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

/** What a model of an OpenAI-compatible server takes: known by its family, then learnt from what it refuses. */
export class RequestTraits {
  readonly #server: string;
  readonly #memory: RefusalMemory;
  readonly #isOfficial: boolean;
  readonly #isReasoning: boolean;
  #sent: Body = {};

  constructor(baseUrl: string, model: string, memory: RefusalMemory) {
    this.#server = `${baseUrl} ${model}`;
    this.#memory = memory;
    this.#isOfficial = URL.parse(baseUrl)?.hostname === OFFICIAL_HOST;
    this.#isReasoning = isReasoningModel(model);
  }

  /** Gives the body as this model takes it. */
  fit(body: Body): Body {
    const { max_tokens: tokens, ...rest } = body;
    const limit = this.#nameOfLimit();
    const fitted: Body = { ...rest, ...(limit === null || tokens === undefined ? {} : { [limit]: tokens }) };
    // Reasoning models take no temperature but their own.
    if (this.#isReasoning) delete fitted.temperature;
    for (const name of OPTIONAL_PARAMETERS) if (this.#refuses(name)) delete fitted[name];
    this.#sent = fitted;
    return fitted;
  }

  /** Learns from a refusal; true when the next request will differ. */
  learn(message: string, parameter: string | null): boolean {
    const sent = OPTIONAL_PARAMETERS.filter((name) => this.#sent[name] !== undefined);
    const named = sent.find((name) => name === parameter) ?? (SAYS_NO.test(message) ? firstNamed(message, sent) : null);
    if (named === null) return false;
    this.#memory.note(this.#server, named);
    return true;
  }

  /** OpenAI takes the newer name from all its models; other servers know the older one, unless they say no. */
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
