import { execFileSync, spawnSync } from "node:child_process";
import { MEMBERS, type Member } from "./render.ts";

/** Stand-ins of three machines on this one. */
export interface Machines extends Disposable {
  /** Address of a machine in the network between them. */
  address(member: Member): string;
  /** Address of a machine for clients and trunks. */
  publicAddress(member: Member): string;
  /** Address of a machine for its own programs alone. */
  local(member: Member): string;
  /** Address at which programs outside, such as a carrier, serve the machines. */
  readonly outside: string;
  /** Returns the command that enters a machine. */
  enter(member: Member): string[];
  /** Cuts a machine off from the others, or connects it again; null where this cannot be done. */
  readonly cut: ((member: Member, isCut: boolean) => void) | null;
}

/** Ordinary user that root runs the programs as: Debian's package of PostgreSQL makes it. */
const USER = "postgres";

/** Returns the user that the programs run as, when it is another one than this process's. */
export function findUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync("id", [flag, USER], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Returns the names of the user and of the group that the programs run as. */
export function nameUser(): { user: string; group: string } {
  const name = (flag: string) =>
    execFileSync("id", process.getuid?.() === 0 ? [flag, USER] : [flag], { encoding: "utf8" }).trim();
  return { user: name("-un"), group: name("-gn") };
}

/** Returns the command that becomes the ordinary user, and that ends a program when this process is killed. */
export function asUser(): string[] {
  const user = process.getuid?.() === 0 ? [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"] : [];
  return ["setpriv", ...user, "--pdeathsig=KILL"];
}

/**
 * Makes three machines: network namespaces, which root alone can make and which can be cut off from each other, or
 * else loopback addresses. A namespace is removed with `Symbol.dispose`.
 */
export function openMachines(): Machines {
  const canDivide = process.getuid?.() === 0 && spawnSync("ip", ["netns", "list"]).status === 0;
  return canDivide ? openNamespaces() : openLoopback();
}

function openLoopback(): Machines {
  const address = (member: Member) => `127.0.77.${member}`;
  return {
    address,
    publicAddress: address,
    local: address,
    outside: "127.0.0.1",
    enter: () => [],
    cut: null,
    [Symbol.dispose]: () => undefined,
  };
}

/** Networks: between the machines, and to clients and carriers. Each is a bridge with one port a machine. */
const INSIDE = { bridge: "parleyha-in", port: "phi", net: "10.77.1" };
const OUTSIDE = { bridge: "parleyha-out", port: "pho", net: "10.77.2" };
/** Last byte of this process's own address in both. */
const SELF = 254;

const nameOf = (member: Member): string => `parleyha-${member}`;
const ip = (...args: string[]): unknown => execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] });

function openNamespaces(): Machines {
  // A run that was killed left them behind.
  remove();
  for (const { bridge, net } of [INSIDE, OUTSIDE]) {
    ip("link", "add", bridge, "type", "bridge");
    ip("addr", "add", `${net}.${SELF}/24`, "dev", bridge);
    ip("link", "set", bridge, "up");
  }
  for (const member of MEMBERS) {
    const name = nameOf(member);
    ip("netns", "add", name);
    ip("-n", name, "link", "set", "lo", "up");
    for (const { bridge, port, net } of [INSIDE, OUTSIDE]) {
      ip("link", "add", `${port}${member}`, "type", "veth", "peer", "name", port, "netns", name);
      ip("link", "set", `${port}${member}`, "master", bridge, "up");
      ip("-n", name, "addr", "add", `${net}.${member}/24`, "dev", port);
      ip("-n", name, "link", "set", port, "up");
    }
  }
  return {
    address: (member) => `${INSIDE.net}.${member}`,
    publicAddress: (member) => `${OUTSIDE.net}.${member}`,
    local: () => "127.0.0.1",
    outside: `${OUTSIDE.net}.${SELF}`,
    enter: (member) => ["ip", "netns", "exec", nameOf(member)],
    // The port stays up, so that packets vanish as they do behind a broken switch, instead of being refused.
    cut: (member, isCut) =>
      void ip("link", "set", `${INSIDE.port}${member}`, ...(isCut ? ["nomaster"] : ["master", INSIDE.bridge])),
    [Symbol.dispose]: remove,
  };
}

function remove(): void {
  const quietly = (...args: string[]) => spawnSync("ip", args, { stdio: "ignore" });
  for (const member of MEMBERS) quietly("netns", "del", nameOf(member));
  for (const { bridge, port } of [INSIDE, OUTSIDE]) {
    for (const member of MEMBERS) quietly("link", "del", `${port}${member}`);
    quietly("link", "del", bridge);
  }
}
