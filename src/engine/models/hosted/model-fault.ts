import type { APICallError } from "@ai-sdk/provider";
import type { TokenUsage } from "#src/engine/models/models.ts";
import { OutboundError } from "#src/platform/http/safe-fetch.ts";
import { toError } from "#src/platform/kernel/errors.ts";

/** Reasons why a hosted model gave no complete answer. */
export type ModelFaultCode =
  | "MODEL_UNAUTHORIZED"
  | "MODEL_RATE_LIMITED"
  | "MODEL_REFUSED"
  | "MODEL_UNAVAILABLE"
  | "MODEL_UNREACHABLE"
  | "MODEL_BROKE_OFF"
  | "MODEL_TRUNCATED"
  | "MODEL_GARBLED";

/** Failure of a hosted model. The message may be shown: it holds no key, no header and no prompt. */
export class ModelFault extends Error {
  readonly code: ModelFaultCode;
  /** Seconds that the provider asks to wait; null when it names none. */
  readonly retryAfterSeconds: number | null;
  /** Tokens of answers that are of no use; undefined when there was none. */
  usage?: TokenUsage;

  constructor(code: ModelFaultCode, message: string, cause?: unknown, retryAfterSeconds: number | null = null) {
    super(message, { cause });
    this.name = "ModelFault";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Converts whatever a provider's library threw to a ModelFault. Some providers repeat the key that they refuse, so it
 * is removed.
 */
export function toModelFault(thrown: unknown, provider: string, key: string | null): ModelFault {
  const fault = readFault(thrown, provider);
  if (key === null || !fault.message.includes(key)) return fault;
  return new ModelFault(fault.code, fault.message.replaceAll(key, "(the key)"), undefined, fault.retryAfterSeconds);
}

function readFault(thrown: unknown, provider: string): ModelFault {
  if (thrown instanceof ModelFault) return thrown;
  const outbound = findCause(thrown);
  if (outbound)
    return new ModelFault("MODEL_UNREACHABLE", `${provider} cannot be reached: ${outbound.message}`, thrown);
  if (isStatusError(thrown)) return fromStatus(thrown, provider);
  const { message } = toError(thrown);
  return new ModelFault("MODEL_GARBLED", `${provider} sent an answer that cannot be read: ${clip(message)}`, thrown);
}

/** A status that a server answered with, or one that it reported in the middle of a stream. */
interface StatusError {
  message: string;
  statusCode: number;
  responseHeaders?: APICallError["responseHeaders"];
}

function isStatusError(thrown: unknown): thrown is StatusError {
  const { message, statusCode } = (thrown ?? {}) as Partial<StatusError>;
  return typeof message === "string" && typeof statusCode === "number" && statusCode >= 300;
}

function fromStatus(error: StatusError, provider: string): ModelFault {
  const { statusCode: status } = error;
  const said = `${provider} answered ${status}: ${clip(error.message)}`;
  if (status === 401 || status === 403) return new ModelFault("MODEL_UNAUTHORIZED", `${said}. Check the key.`, error);
  const seconds = Number(error.responseHeaders?.["retry-after"]);
  const wait = Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
  if (status === 429) return new ModelFault("MODEL_RATE_LIMITED", said, error, wait);
  if (status >= 500) return new ModelFault("MODEL_UNAVAILABLE", said, error, wait);
  return new ModelFault("MODEL_REFUSED", said, error);
}

function findCause(thrown: unknown): OutboundError | undefined {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 6; error = error.cause, depth++) {
    if (error instanceof OutboundError) return error;
  }
  return undefined;
}

function clip(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 300);
}
