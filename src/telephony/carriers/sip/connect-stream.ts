import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import type { Hop } from "./flow.ts";

/** A host that is up answers within this time. */
const CONNECT_TIMEOUT_MS = 4_000;

/**
 * Connects to an address that the guard has allowed. With TLS the certificate must match the name that was looked up;
 * `ca` holds authorities trusted besides Node's own. Rejects with an Error for people.
 */
export function connectStream(hop: Hop, ca: Buffer | null): Promise<Socket> {
  const { host, address, port, transport } = hop;
  const isTls = transport === "TLS";
  const servername = isIP(host) ? {} : { servername: host };
  const authorities = ca ? { ca: [...rootCertificates, ca] } : {};
  // `host` is compared with the certificate; the socket is already connected, so the name is not looked up again.
  const socket = connectTcp({ host: address, port, noDelay: true });
  const ready = isTls ? connectTls({ socket, host, ...servername, ...authorities }) : socket;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`No ${isTls ? "secure " : ""}connection to ${host}:${port}: ${why}`));
      for (const one of new Set([socket, ready])) one.destroy();
    };
    const timer = setTimeout(() => fail("it did not answer in time."), CONNECT_TIMEOUT_MS);
    // Kept for good: a later failure of the socket must not end the process.
    for (const one of new Set([socket, ready])) one.on("error", (error) => fail(error.message));
    ready.once("close", () => fail("the other side closed it."));
    ready.once(isTls ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      resolve(ready);
    });
  });
}
