import { createSocket } from "node:dgram";
import { createServer } from "node:net";

const HOST = "127.0.0.1";
/** Below the ports that the system gives out by itself, of which some other program would take one before it is used. */
const LOWEST = 20_000;
const RANGE = 1_000;
const RANGES = 12;
const APART = 4;

const first = LOWEST + (Number(process.env.VITEST_POOL_ID ?? 0) % RANGES) * RANGE;
let last = Math.floor(Math.random() * RANGE);

/** A port for programs that must be told theirs: nobody has it, and nobody else is given it or the three after it. */
export async function freePort(protocol: "TCP" | "UDP" = "TCP"): Promise<number> {
  for (;;) {
    last = (last + APART) % RANGE;
    if (await (protocol === "TCP" ? isFreeTcp : isFreeUdp)(first + last)) return first + last;
  }
}

function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

function isFreeUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.once("error", () => socket.close(() => resolve(false)));
    socket.bind(port, HOST, () => socket.close(() => resolve(true)));
  });
}
