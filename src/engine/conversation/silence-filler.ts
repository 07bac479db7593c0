import type { SessionState } from "./session-state.ts";
import type { Speech } from "./speech.ts";

/** A person who hears nothing for 2.5 s thinks that the line is dead; what is said takes a moment to sound. */
const SILENT_MS = 1_500;
/** The words hold for so long; then they are said again. */
const AGAIN_MS = 5_000;

/** Keeps a person from silence while the model thinks. */
export interface SilenceFiller {
  /** Tells it where the answer will be said. */
  watch(speech: Speech): Speech;
  /** The answer is there, or will not come; resolves when no filler is being said. */
  end(): Promise<void>;
}

const NOTHING: SilenceFiller = { watch: (speech) => speech, end: async () => undefined };

/** On a live line says "one moment" each time nothing has been said for too long. */
export function fillSilence(session: SessionState): SilenceFiller {
  if (!session.ports.line.isLive) return NOTHING;
  let answer: Speech | undefined;
  let saying: Promise<unknown> = Promise.resolve();
  const look = (): void => {
    const quietMs = answer?.quietMs ?? SILENT_MS;
    if (quietMs < SILENT_MS) return wait(SILENT_MS - quietMs);
    // What ends the talk ends the answer, too, and is told there.
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
