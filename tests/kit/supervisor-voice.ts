import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import type { PageSocket } from "./page-socket.ts";

/** Bytes of a supervisor's frame: 20 ms of mu-law at 8 kHz. */
export const FRAME_BYTES = 160;

/** Says something in real time. */
export async function say(socket: PageSocket, text: string): Promise<void> {
  const samples = encodeToneSpeech(text);
  const startedMs = performance.now();
  for (let at = 0; at < samples.length; at += FRAME_BYTES) {
    const bytes = new Uint8Array(FRAME_BYTES).fill(0xff);
    const part = samples.subarray(at, at + FRAME_BYTES);
    muLawCodec.encodeInto(part, part.length, bytes, 0);
    socket.sendBytes(bytes);
    const aheadMs = (at / 8_000) * 1_000 - (performance.now() - startedMs);
    if (aheadMs > 40) await new Promise((resolve) => setTimeout(resolve, aheadMs - 20));
  }
}
