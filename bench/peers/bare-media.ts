import { openFrontEnd } from "../media/front-end.ts";
import { makeReply } from "../media/sounds.ts";

/**
 * The peer that does nothing but carry: RTP both ways with G.711, no jitter buffer, no turns, no recording, one thread.
 * A loudness and a count of quiet frames stand for turns, so that it has something to say.
 *
 *     node bare-media.ts CALLS
 */
const LOUD = 200;
const END_FRAMES = 25;
const reply = makeReply();

function createCall() {
  let [at, quiet, isHeard] = [reply.length, 0, false];
  return {
    hear(samples: Int16Array): void {
      let peak = 0;
      for (let i = 0; i < samples.length; i++) peak = Math.max(peak, samples[i] as number);
      quiet = peak > LOUD ? 0 : quiet + 1;
      if (peak > LOUD) isHeard = true;
      if (!isHeard || quiet < END_FRAMES) return;
      isHeard = false;
      at = 0;
    },
    say(samples: Int16Array): boolean {
      if (at >= reply.length) return false;
      for (let i = 0; i < samples.length; i++) samples[i] = reply[at + i] as number;
      at += samples.length;
      return true;
    },
  };
}

const ports = await openFrontEnd(Array.from({ length: Number(process.argv[2]) }, createCall));
process.stdout.write(`${JSON.stringify(ports)}\n`);
