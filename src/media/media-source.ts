import type { MessagePort } from "node:worker_threads";
import type { SrtpSuite } from "./srtp-keys.ts";

/**
 * What goes over a port that carries a call's audio, both ways: 20 ms as 160 bytes of mu-law, keypad tones, and that the
 * far end has hung up or our end was closed. A path that breaks says nothing any more.
 */
export type MediaMessage = Uint8Array | { digits: string } | { closed: true };

/** How a carrier offers the audio of an answered call, for the thread that carries media. */
export type MediaSource =
  | { kind: "PORT"; port: MessagePort }
  /** The socket was opened before, because its port stands in our offer; `remote` is where the far end hears. */
  | {
      kind: "RTP";
      socketId: number;
      remote: { host: string; port: number };
      codec: "PCMU" | "PCMA";
      payloadType: number;
      eventPayloadType: number | null;
      srtp: { suite: SrtpSuite; local: Uint8Array; remote: Uint8Array } | null;
    };
