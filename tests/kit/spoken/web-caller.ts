import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import type { PageSocket } from "../page-socket.ts";
import type { RecordedCaller } from "./caller.ts";

const FRAME_MS = 20;

/** Lets a caller of recorded lines use a web phone, in real time, until the page's connection closes. */
export async function callFromPage(page: PageSocket, caller: RecordedCaller): Promise<void> {
  const startedAt = performance.now();
  const frame = new Int16Array(FRAME_SAMPLES);
  for (let sent = 0; page.closed === null;) {
    for (const heard of page.frames.splice(0)) caller.write(decodeMuLaw(heard));
    for (; sent < (performance.now() - startedAt) / FRAME_MS; sent++) {
      if (!caller.read(frame)) frame.fill(0);
      page.sendBytes(Uint8Array.from(encodeMuLaw(frame)));
    }
    await new Promise((resolve) => setTimeout(resolve, FRAME_MS / 2));
  }
}
