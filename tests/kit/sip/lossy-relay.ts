import { createSocket, type Socket } from "node:dgram";
import { HOST } from "./sip-harness.ts";

/** Messages that are sent again until something comes back, so that their first copy may be lost. */
const REPEATED = /^(INVITE|BYE|ACK) |^SIP\/2\.0 200 [^]*\r\nCSeq: *\d+ INVITE\r\n/i;

/**
 * A lossy path between two user agents: the first copy of a repeated message is lost, and everything else arrives
 * twice.
 */
export interface LossyRelay {
  port: number;
  readonly lost: number;
  close(): void;
}

/** Opens a relay to this port. */
export async function openLossyRelay(farPort: number): Promise<LossyRelay> {
  const seen = new Set<string>();
  let lost = 0;
  let nearPort = 0;
  const [near, far] = await Promise.all([bind(), bind()]);
  const pass = (bytes: Buffer, from: Socket, port: number): void => {
    const text = bytes.toString("latin1");
    if (REPEATED.test(text) && !seen.has(text)) {
      seen.add(text);
      lost++;
      return;
    }
    for (let copies = 0; copies < 2; copies++) from.send(bytes, port, HOST);
  };
  near.on("message", (bytes, source) => {
    nearPort = source.port;
    pass(bytes, far, farPort);
  });
  far.on("message", (bytes) => pass(bytes, near, nearPort));
  return {
    port: near.address().port,
    get lost() {
      return lost;
    },
    close() {
      near.close();
      far.close();
    },
  };
}

function bind(): Promise<Socket> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => socket.bind({ address: HOST, port: 0 }, () => resolve(socket)));
}
