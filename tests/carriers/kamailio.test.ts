import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MEMBERS, readSettings, type Settings, writeFiles } from "../../deploy/ha/render.ts";

/* Kamailio with the file of deploy/ha, between a trunk and three nodes that are sockets of this test. */

const ENV = { PATH: `${process.env.PATH ?? ""}:/usr/sbin` };
const isMissing = spawnSync("kamailio", ["-v"], { env: ENV }).error !== undefined;
const PORT = 5060;
const [PROXY, TRUNK] = ["127.0.78.1", "127.0.78.9"];
const NODES = ["127.0.78.1", "127.0.78.2", "127.0.78.3"];
const NODE_PORT = 5070;

const callIdOf = (text: string) => /^Call-ID: (.*?)\r?$/im.exec(text)?.[1] ?? "";

/** A SIP endpoint that records requests other than OPTIONS, and answers INVITE with `answer`; 0: never. */
class Endpoint {
  answer = 200;
  /** True once Kamailio has asked whether it lives. */
  isProbed = false;
  readonly invites: string[] = [];
  /** Statuses that it was answered, each with the Call-ID. A 200 is repeated until it is acknowledged, which is left out. */
  readonly answers = new Set<string>();
  readonly #socket: Socket = createSocket("udp4");

  async open(address: string, port: number): Promise<void> {
    this.#socket.on("message", (bytes, from) => {
      const text = bytes.toString();
      if (text.startsWith("SIP/2.0")) return void this.answers.add(`${text.slice(8, 11)} ${callIdOf(text)}`);
      const method = text.slice(0, text.indexOf(" "));
      if (method === "INVITE") this.invites.push(text);
      if (method === "OPTIONS") this.isProbed = true;
      const status = method === "INVITE" ? this.answer : 200;
      if (status === 0 || method === "ACK") return;
      const kept = text.split("\r\n").filter((line) => /^(Via|From|Call-ID|CSeq|Record-Route):/i.test(line));
      const to = /^To:.*$/im.exec(text)?.[0] ?? "";
      const lines = [`SIP/2.0 ${status} Answer`, ...kept, `${to};tag=there`, "Content-Length: 0", "", ""];
      this.#socket.send(lines.join("\r\n"), from.port, from.address);
    });
    this.#socket.bind(port, address);
    await once(this.#socket, "listening");
  }

  /** Returns how many calls were answered with a status. */
  count(status: number): number {
    return [...this.answers].filter((answer) => answer.startsWith(`${status} `)).length;
  }

  /** Sends an INVITE to Kamailio. */
  invite(id: string, from: string, port: number): void {
    const lines = [
      `INVITE sip:+12025550100@${PROXY} SIP/2.0`,
      `Via: SIP/2.0/UDP ${from}:${port};branch=z9hG4bK${id}`,
      "Max-Forwards: 70",
      `From: <sip:+12025550190@${from}>;tag=${id}`,
      `To: <sip:+12025550100@${PROXY}>`,
      `Call-ID: ${id}`,
      "CSeq: 1 INVITE",
      `Contact: <sip:${from}:${port}>`,
      "Content-Length: 0",
    ];
    this.#socket.send(`${lines.join("\r\n")}\r\n\r\n`, PORT, PROXY);
  }

  close(): void {
    this.#socket.close();
  }
}

describe.skipIf(isMissing)(`Kamailio${isMissing ? " (skipped: no kamailio)" : ""}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-kamailio-"));
  const trunk = new Endpoint();
  const nodes = NODES.map(() => new Endpoint());
  let kamailio: ChildProcess;
  let calls = 0;
  const nextId = () => `call${++calls}`;

  beforeAll(async () => {
    const addresses = MEMBERS.flatMap((member) =>
      [`HA_ADDRESS_${member}`, `HA_PUBLIC_${member}`].map((name) => [name, NODES[member - 1]]),
    );
    const secrets = ["SUPERUSER", "REPLICATION", "REST", "DATABASE"].map((name) => [
      `HA_${name}_PASSWORD`,
      "0123456789abcdef",
    ]);
    const settings = {
      ...readSettings(""),
      ...Object.fromEntries([...addresses, ...secrets]),
      HA_TRUNK: `${TRUNK}:${PORT}`,
      HA_CONFIG: folder,
    } as Settings;
    writeFiles(settings, 1, folder);
    await trunk.open(TRUNK, PORT);
    await Promise.all(nodes.map((node, i) => node.open(NODES[i] as string, NODE_PORT)));
    const args = ["-DD", "-E", "-m", "32", "-Y", folder, "-f", join(folder, "kamailio.cfg")];
    kamailio = spawn("kamailio", args, { env: ENV, stdio: "ignore" });
    await vi.waitUntil(() => nodes.every((node) => node.isProbed), { timeout: 20_000 });
  });

  beforeEach(() => {
    for (const endpoint of [trunk, ...nodes]) {
      endpoint.answer = 200;
      endpoint.invites.length = 0;
      endpoint.answers.clear();
    }
  });

  afterAll(async () => {
    const gone = once(kamailio, "exit");
    kamailio.kill("SIGTERM");
    await gone;
    for (const endpoint of [trunk, ...nodes]) endpoint.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a call that draining nodes refuse with 503 comes to the node that takes it", async () => {
    const [first, second, third] = nodes as [Endpoint, Endpoint, Endpoint];
    [first.answer, second.answer] = [503, 503];
    for (let i = 0; i < 6; i++) trunk.invite(nextId(), TRUNK, PORT);
    await expect.poll(() => trunk.count(200)).toBe(6);
    expect(new Set(third.invites.map(callIdOf)).size).toBe(6);
    expect(first.invites.length + second.invites.length).toBeGreaterThan(0);
    expect(trunk.count(503)).toBe(0);
  });

  test("when no node takes it, the trunk hears 503", async () => {
    for (const node of nodes) node.answer = 503;
    trunk.invite(nextId(), TRUNK, PORT);
    await expect.poll(() => trunk.count(503)).toBe(1);
    expect(trunk.count(200)).toBe(0);
  });

  test("a refusal by the person's agent is final: no other node is asked", async () => {
    for (const node of nodes) node.answer = 486;
    trunk.invite(nextId(), TRUNK, PORT);
    await expect.poll(() => trunk.count(486)).toBe(1);
    expect(nodes.flatMap((node) => node.invites)).toHaveLength(1);
  });

  test("a node that is silent is skipped, and a silent trunk is not asked twice for the same dial", async () => {
    const [first, second, third] = nodes as [Endpoint, Endpoint, Endpoint];
    [first.answer, second.answer] = [0, 0];
    for (let i = 0; i < 3; i++) trunk.invite(nextId(), TRUNK, PORT);
    await expect.poll(() => trunk.count(200)).toBe(3);
    trunk.answer = 0;
    third.invite("dial", NODES[2] as string, NODE_PORT);
    await expect.poll(() => trunk.invites.length).toBeGreaterThan(0);
    // Retransmissions of one transaction are allowed; another one would be another call.
    const branches = trunk.invites.map((text) => /^Via:.*branch=([^;\s]+)/m.exec(text)?.[1]);
    expect(new Set(branches).size).toBe(1);
    expect(third.count(200)).toBe(0);
  });

  test("nobody else may call", async () => {
    const stranger = new Endpoint();
    await stranger.open("127.0.78.8", PORT);
    stranger.invite(nextId(), "127.0.78.8", PORT);
    await expect.poll(() => stranger.count(403)).toBe(1);
    stranger.close();
    expect([trunk, ...nodes].flatMap((endpoint) => endpoint.invites)).toEqual([]);
  });
});
