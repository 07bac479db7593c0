import type { Stt } from "#src/audio/stt/stt.ts";
import { ToneStream } from "#src/audio/tones/tone-stream.ts";

/** STT of tone speech: PARTIAL while the tones come, FINAL when an utterance ends, in every language and exactly. */
export const toneStt: Stt = {
  name: "TONE",
  open(options) {
    let isClosed = false;
    let hasAnswered = false;
    const final = (text: string) => {
      hasAnswered = true;
      if (!isClosed) options.onEvent({ kind: "FINAL", text, confidence: 1 });
    };
    const stream = new ToneStream({
      onSoFar(text) {
        if (!isClosed) options.onEvent({ kind: "PARTIAL", text });
      },
      onUtterance: final,
    });
    return {
      write(samples) {
        if (!isClosed) stream.push(samples);
      },
      flush() {
        if (isClosed) return;
        hasAnswered = false;
        stream.flush();
        if (!hasAnswered) options.onEvent({ kind: "FINAL", text: "", confidence: null });
      },
      close() {
        isClosed = true;
      },
    };
  },
};
