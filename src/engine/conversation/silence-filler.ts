import type { SessionState } from "./session-state.ts";
import type { Speech } from "./speech.ts";

/**
 * Milliseconds after which silence is filled. A person takes a line for dead after 2.5 s of silence, and the phrase
 * takes a moment to sound.
 */
const SILENT_MS = 1_500;
/** Milliseconds until the phrase is repeated. */
const AGAIN_MS = 5_000;

/** Fills the silence while the model is slow. */
export interface SilenceFiller {
  /** Sets the speech in which the answer will be said, and returns it. */
  watch(speech: Speech): Speech;
  /** Stops filling, because the answer has come or will not come. Resolves when no phrase is being said. */
  end(): Promise<void>;
}

const NOTHING: SilenceFiller = { watch: (speech) => speech, end: async () => undefined };

/** On a live line, says "one moment" each time nothing has been said for too long. */
export function fillSilence(session: SessionState): SilenceFiller {
  if (!session.ports.line.isLive) return NOTHING;
  let answer: Speech | undefined;
  let saying: Promise<unknown> = Promise.resolve();
  const look = (): void => {
    const quietMs = answer?.quietMs ?? SILENT_MS;
    if (quietMs < SILENT_MS) return wait(SILENT_MS - quietMs);
    // A failure of the line also ends the answer, and is handled there.
    saying = session.transcribed.sayAside(session.phrases.oneMoment).catch(() => undefined);
    wait(AGAIN_MS);
  };
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    timer = setTimeout(look, ms);
  };
  wait(SILENT_MS);
  return {
    watch: (speech) => (answer = speech),
    async end() {
      clearTimeout(timer);
      await saying;
    },
  };
}
