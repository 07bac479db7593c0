import type { MediaHandle } from "#src/audio/voice/media-handle.ts";
import type { MediaCall } from "#src/audio/worker/media-call.ts";

/** The media of a call that is driven by hand, as a line holds it; for tests in which no other thread is in between. */
export function handleOf(call: () => MediaCall): MediaHandle {
  return {
    begin: (id) => call().playout.begin(id),
    add: (id, samples) => call().playout.add(id, samples),
    complete: (id) => call().playout.complete(id),
    clear: () => call().clear(),
    setCallerWaitingSince: (sinceMs) => call().setCallerWaitingSince(sinceMs),
    hearWords: (event) => call().hearWords(event),
    sendDigits: (digits) => call().sendDigits(digits),
    hold: (sound) => call().hold(sound),
    close: () => call().close(null),
  };
}
