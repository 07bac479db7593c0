import type { OnProviderRequest } from "#src/platform/kernel/provider-request.ts";
import type { SpeechEvent, SpeechStream, SpeechStreamOptions, Stt } from "./stt.ts";

/**
 * Wraps an STT so that `onRequest` gets each flush with the time to its final words, and each stream that was lost. A
 * flush that is still unanswered when its stream is closed counts as TIMEOUT after `patienceMs`, for which no caller
 * waits longer while another provider is left, and as ABANDONED before.
 */
export function measureStt(stt: Stt, provider: string, patienceMs: number, onRequest: OnProviderRequest): Stt {
  return {
    name: stt.name,
    open: (options) =>
      openMeasured(stt, options, patienceMs, (result, firstMs) =>
        onRequest({ kind: "STT", provider, result, firstMs }),
      ),
  };
}

function openMeasured(
  stt: Stt,
  options: SpeechStreamOptions,
  patienceMs: number,
  report: (result: string, firstMs: number | null) => void,
): SpeechStream {
  let flushedAt: number | null = null;
  let isOver = false;
  const onEvent = (event: SpeechEvent): void => {
    if (event.kind === "FINAL" && flushedAt !== null) {
      report("OK", performance.now() - flushedAt);
      flushedAt = null;
    }
    if (event.kind === "FAILED" && !isOver) {
      isOver = true;
      report(event.code, null);
    }
    options.onEvent(event);
  };
  const stream = stt.open({ ...options, onEvent });
  return {
    write: (samples) => stream.write(samples),
    flush() {
      flushedAt ??= performance.now();
      stream.flush();
    },
    ...(stream.expect ? { expect: (schema) => stream.expect?.(schema) } : {}),
    close() {
      if (flushedAt !== null && !isOver) {
        report(Math.ceil(performance.now() - flushedAt) >= patienceMs ? "TIMEOUT" : "ABANDONED", null);
      }
      isOver = true;
      stream.close();
    },
  };
}
