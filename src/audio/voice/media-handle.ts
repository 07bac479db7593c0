import type { SpeechEvent } from "#src/audio/stt/stt.ts";

/** Media of one call, in this thread or another. */
export interface MediaHandle {
  begin(id: number): void;
  add(id: number, samples: Int16Array): void;
  complete(id: number): void;
  clear(): void;
  hearWords(event: SpeechEvent): void;
  sendDigits(digits: string): void;
  hold(sound: Int16Array | null): void;
  setCallerWaitingSince(sinceMs: number | null): void;
  close(): void;
}
