import { encodeMuLaw } from "#src/audio/codec/mu-law.ts";

const RATE_HZ = 8_000;
const SYLLABLE_HZ = 4;
const HARMONICS = 12;

/**
 * Speech in loudness and pitch only: syllables of a voice with a moving pitch and no pauses. It is the same on every
 * machine and needs no installed voice.
 */
function babble(seconds: number, pitchHz: number): Int16Array {
  let phase = 0;
  return Int16Array.from({ length: seconds * RATE_HZ }, (_, i) => {
    const time = i / RATE_HZ;
    phase += (2 * Math.PI * pitchHz * (1 + 0.15 * Math.sin(2 * Math.PI * 0.7 * time))) / RATE_HZ;
    let voice = 0;
    for (let k = 1; k <= HARMONICS; k++) voice += Math.sin(k * phase + k * k) / k;
    const syllable = 0.15 + 0.85 * Math.sin(Math.PI * SYLLABLE_HZ * time) ** 2;
    return 5_000 * voice * syllable;
  });
}

/** Returns 3.6 s of caller speech in mu-law. */
export function makeCallerSpeech(): Uint8Array {
  return encodeMuLaw(babble(3.6, 130));
}

/** Returns the agent's reply, 5.3 s. */
export function makeReply(): Int16Array {
  return babble(5.3, 210);
}

/** Milliseconds that a caller is quiet before the next turn. */
export const QUIET_MS = 8_000;
