import { createSocket, type Socket } from "node:dgram";
import { createServer } from "node:net";

const HOST = "127.0.0.1";
/** Below the system's ephemeral ports: another program could take one of those before it is used. */
const LOWEST = 20_000;
const PORTS = 12_000;
const APART = 4;
/** Distance of the claim below the port. */
const CLAIM_BELOW = 12_000;
/** Time after which the program that was given the port has bound it, or has given up. */
const CLAIM_MS = 120_000;

let last = Math.floor(Math.random() * (PORTS / APART)) * APART;

/** Returns a port for programs that must be given one: it is free, and no other call gets it or the three after it. */
export async function freePort(protocol: "TCP" | "UDP" = "TCP"): Promise<number> {
  for (;;) {
    last = (last + APART) % PORTS;
    const port = LOWEST + last;
    const claim = await bindUdp(port - CLAIM_BELOW);
    if (!claim) continue;
    // Other runs of the tests on this machine look for ports, too: the claim is a socket, which ends with its process.
    setTimeout(() => claim.close(), CLAIM_MS).unref();
    if (await (protocol === "TCP" ? isFreeTcp(port) : isFreeUdp(port))) return port;
  }
}

function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

async function isFreeUdp(port: number): Promise<boolean> {
  const socket = await bindUdp(port);
  return new Promise((resolve) => (socket ? socket.close(() => resolve(true)) : resolve(false)));
}

function bindUdp(port: number): Promise<Socket | null> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.once("error", () => socket.close(() => resolve(null)));
    socket.bind({ port, address: HOST, exclusive: true }, () => resolve(socket.unref()));
  });
}
