import { Counter, Histogram, type Registry } from "prom-client";
import type { SpeechErrorCode } from "#src/audio/speech-faults/speech-error.ts";
import type { ModelFaultCode } from "#src/engine/models/hosted/model-fault.ts";
import { MODEL_PROVIDERS } from "#src/engine/models/hosted/vendors.ts";
import { STT_NAMES, TTS_NAMES } from "#src/platform/config/speech-settings.ts";
import type { OnProviderRequest, ProviderRequest } from "#src/platform/kernel/provider-request.ts";

/** Listener that counts requests to providers of speech and of language models. */
export interface ProviderMetrics {
  onProviderRequest: OnProviderRequest;
}

const PROVIDERS: Record<ProviderRequest["kind"], readonly string[]> = {
  STT: STT_NAMES,
  TTS: TTS_NAMES,
  MODEL: MODEL_PROVIDERS,
  EMBEDDING: ["OPENAI_COMPATIBLE"],
};
const OTHER = "OTHER";
/** All results that a provider may have; a result that is none of them counts as OTHER. */
const RESULTS: Record<SpeechErrorCode | ModelFaultCode | "OK" | "ABANDONED" | "MODEL_STALLED", true> = {
  OK: true,
  ABANDONED: true,
  REFUSED: true,
  BUSY: true,
  UNAVAILABLE: true,
  TIMEOUT: true,
  UNREADABLE: true,
  BLOCKED: true,
  UNSUPPORTED: true,
  MODEL_UNAUTHORIZED: true,
  MODEL_RATE_LIMITED: true,
  MODEL_REFUSED: true,
  MODEL_UNAVAILABLE: true,
  MODEL_UNREACHABLE: true,
  MODEL_BROKE_OFF: true,
  MODEL_TRUNCATED: true,
  MODEL_GARBLED: true,
  MODEL_STALLED: true,
};
/** Buckets in seconds: speech must come within 1.5 s, and a model is given up after 10 s. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10];

/** Creates the counters of providers. */
export function createProviderMetrics(registers: Registry[]): ProviderMetrics {
  const requests = new Counter({
    name: "parley_provider_requests_total",
    help: "Requests to providers of speech and language models, by kind, provider and result.",
    labelNames: ["kind", "provider", "result"],
    registers,
  });
  const waits = new Histogram({
    name: "parley_provider_first_answer_seconds",
    help: "Time to the first words of a model, the first sound of TTS, the final words of STT after a pause.",
    labelNames: ["kind", "provider"],
    buckets: BUCKETS,
    registers,
  });
  const counted = new Counter({
    name: "parley_model_tokens_total",
    help: "Tokens that hosted language models counted, by provider and direction.",
    labelNames: ["provider", "direction"],
    registers,
  });
  for (const [kind, names] of Object.entries(PROVIDERS)) {
    for (const provider of names) requests.inc({ kind, provider, result: "OK" }, 0);
  }
  for (const provider of MODEL_PROVIDERS) {
    for (const direction of ["input", "output"]) counted.inc({ provider, direction }, 0);
  }
  return {
    onProviderRequest({ kind, provider, result, firstMs, tokens }) {
      requests.inc({ kind, provider, result: Object.hasOwn(RESULTS, result) ? result : OTHER });
      if (firstMs !== null) waits.observe({ kind, provider }, firstMs / 1_000);
      if (!tokens) return;
      counted.inc({ provider, direction: "input" }, tokens.input);
      counted.inc({ provider, direction: "output" }, tokens.output);
    },
  };
}
