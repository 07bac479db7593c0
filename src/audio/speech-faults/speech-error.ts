import { isTransientStatus, readRetryAfter } from "#src/audio/batch-stt/provider-reply.ts";
import { OutboundError } from "#src/platform/http/safe-fetch.ts";
import type { SocketEnd } from "#src/platform/http/safe-socket.ts";

/**
 * Reason that a speech provider failed. REFUSED: the credential or the request, so it will be refused again. BUSY: 429.
 * UNAVAILABLE: 5xx, network. UNREADABLE: its reply does not follow its protocol. BLOCKED: the guard does not allow its
 * address.
 */
export type SpeechErrorCode = "REFUSED" | "BUSY" | "UNAVAILABLE" | "TIMEOUT" | "UNREADABLE" | "BLOCKED" | "UNSUPPORTED";

const PERMANENT = new Set<string>(["REFUSED", "BLOCKED", "UNSUPPORTED"] satisfies SpeechErrorCode[]);
/** WebSocket's "policy violation" (RFC 6455, 7.4.1), with which providers refuse input after the handshake. */
const POLICY_VIOLATION = 1008;

/** Failure of a speech provider. The message names the provider and holds no secrets and no speech. */
export class SpeechError extends Error {
  readonly code: SpeechErrorCode;
  /** Milliseconds to wait before the next request, as the provider asked. */
  readonly retryAfterMs: number | null;

  constructor(code: SpeechErrorCode, message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.name = "SpeechError";
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** True when the same request may succeed a moment later. */
  get isTransient(): boolean {
    return isTransientCode(this.code);
  }
}

/** False for a code that concerns one request, such as a voice that does not exist, and not the provider. */
export function isTransientCode(code: string): boolean {
  return !PERMANENT.has(code);
}

/**
 * Returns the error for a provider's refusing status. Its body is not quoted: providers repeat parts of the key in it.
 */
export function explainStatus(provider: string, status: number, headers: Record<string, string>): SpeechError {
  const message = `${provider} answered ${status}`;
  if (status === 401 || status === 403) return new SpeechError("REFUSED", `${message}: its credential was refused.`);
  if (!isTransientStatus(status)) return new SpeechError("REFUSED", `${message}.`);
  const code = status === 429 ? "BUSY" : "UNAVAILABLE";
  return new SpeechError(code, `${message}.`, readRetryAfter(headers["retry-after"]));
}

/** Turns anything that a request to a provider rejected with into a SpeechError. */
export function explainSpeechFailure(provider: string, error: unknown): SpeechError {
  if (error instanceof SpeechError) return error;
  if (!(error instanceof OutboundError)) {
    return new SpeechError("UNAVAILABLE", `${provider} could not be asked.`, null, error);
  }
  const code = error.kind === "BLOCKED" ? "BLOCKED" : error.kind === "TIMEOUT" ? "TIMEOUT" : "UNAVAILABLE";
  return new SpeechError(code, `${provider} could not be asked: ${error.message}`, null, error);
}

/** Turns the end of a WebSocket to a provider into a SpeechError. */
export function explainEnd(provider: string, end: SocketEnd): SpeechError {
  if (end.kind === "REFUSED") return explainStatus(provider, end.status, end.headers);
  if (end.kind === "FAILED") return explainSpeechFailure(provider, end.error);
  const code = end.code === POLICY_VIOLATION ? "REFUSED" : "UNAVAILABLE";
  return new SpeechError(code, `${provider} closed the connection with code ${end.code}.`);
}
