import type { MessagePort } from "node:worker_threads";

/**
 * How a transport offers the audio of an answered call to whatever hears and speaks on it. PORT: frames of 160 bytes of
 * mu-law as Uint8Array both ways; {digits: string} are keypad tones, both ways; {closed: true} says that the far end
 * hung up, or that our end closed. A port that closes without a word has lost its far end.
 */
export type MediaSource = { kind: "PORT"; port: MessagePort };
