import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import type { SpeechEvent, SpeechStream, Stt } from "#src/audio/stt/stt.ts";

/** Most characters of one result: no person's turn is longer, so more is a fault of STT. */
const MAX_WORDS_CHARACTERS = 4_000;

/** Dependencies of transcribing a line. */
export interface SpeechInputParts {
  stt: Stt;
  /** BCP 47. */
  language: string;
  hints: string[];
}

/** The person's speech on a line, streamed to STT. */
export class SpeechInput {
  readonly #stream: SpeechStream;
  #seconds = 0;

  constructor({ stt, language, hints }: SpeechInputParts, onEvent: (event: SpeechEvent) => void) {
    this.#stream = stt.open({ language, hints, expected: null, onEvent: (event) => onEvent(limit(event)) });
  }

  /** Seconds of sound transcribed. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Streams the next samples. */
  write(samples: Int16Array): void {
    this.#seconds += samples.length / VOICE_RATE_HZ;
    this.#stream.write(samples);
  }

  /** Asks for the words of the speech so far. */
  flush(): void {
    this.#stream.flush();
  }

  /** Sets the answer that is expected, as `Line.expect` does. */
  expect(schema: Record<string, unknown> | null): void {
    this.#stream.expect?.(schema);
  }

  /** Ends the stream. */
  close(): void {
    this.#stream.close();
  }
}

function limit(event: SpeechEvent): SpeechEvent {
  return event.kind === "FAILED" ? event : { ...event, text: event.text.slice(0, MAX_WORDS_CHARACTERS) };
}
