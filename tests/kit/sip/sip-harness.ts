import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TransferOrder } from "#src/audio/line/line.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { CarrierEvent, DialRequest } from "#src/telephony/carriers/carrier.ts";
import type { MediaSockets } from "#src/telephony/carriers/sip/call-media.ts";
import type { NameServer } from "#src/telephony/carriers/sip/locate.ts";
import type { SipCarrier } from "#src/telephony/carriers/sip/sip-carrier.ts";
import { type IncomingSipCall, SipTrunks } from "#src/telephony/carriers/sip/sip-trunks.ts";
import type { SipTrunkSettings } from "#src/telephony/carriers/sip/trunk.ts";
import { freePort } from "../free-port.ts";
import { COLD_ORDER } from "../trial-order.ts";
import { type Step, writeScenario } from "./scenario.ts";

/** True when a program is installed. */
export function hasProgram(name: string): boolean {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export const HOST = "127.0.0.1";

/** Media sockets that are port numbers only, without audio. Records redirects. */
export function createSilentSockets(): MediaSockets & { reported: string[]; open: Set<number> } {
  let last = 0;
  const reported: string[] = [];
  const open = new Set<number>();
  return {
    reported,
    open,
    async openSocket() {
      open.add(++last);
      return { socketId: last, port: 20_000 + (last % 10_000) * 2 };
    },
    closeSocket(socketId) {
      open.delete(socketId);
    },
    redirectSocket(_socketId, { host, port }, isHeld) {
      reported.push(`${host}:${port}${isHeld ? " held" : ""}`);
    },
  };
}

interface Rest {
  /** Addresses that the guard allows; all when empty. */
  allow?: string[];
  names?: NameServer;
}

/** A user agent with a trunk, and all the events it emits. */
export class SipTrunkManager {
  readonly trunks: SipTrunks;
  readonly events: CarrierEvent[] = [];
  readonly calls: IncomingSipCall[] = [];
  readonly sockets: MediaSockets;
  onCall: (call: IncomingSipCall) => void = () => undefined;
  #waiting: (() => void)[] = [];

  constructor(sockets: MediaSockets = createSilentSockets(), ca: Buffer | null = null, rest: Rest = {}) {
    const { allow = [], names } = rest;
    this.sockets = sockets;
    this.trunks = new SipTrunks({
      place: { host: HOST, port: 0, publicHost: null, ports: null, ca },
      guard: createOutboundGuard({ allowPrivateNetwork: allow.length === 0, allow }),
      sockets,
      ...(names ? { names } : {}),
      deliver: async (event) => {
        this.events.push(event);
        this.#wake();
      },
      onCall: (call) => {
        this.calls.push(call);
        this.onCall(call);
        this.#wake();
      },
      log: createLog(process.env.SIP_LOG === "1" ? "debug" : "error"),
    });
  }

  /** Opens the carrier of a number's trunk on this machine. */
  open(
    settings: Partial<SipTrunkSettings> & { port: number },
    id = "number-1",
    number = "+12025550190",
  ): Promise<SipCarrier> {
    const defaults = {
      host: HOST,
      transport: "UDP",
      username: null,
      password: null,
      registrationRequired: false,
    } as const;
    return this.trunks.open({
      id,
      workspaceId: "w",
      number,
      settings: { ...defaults, srtp: "OFF", ...settings },
    });
  }

  /** Waits until an event or a call makes the condition true. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        setTimeout(resolve, 50);
      });
    }
  }

  /** Waits for an attempt's event. */
  async event<Type extends CarrierEvent["type"]>(
    attemptId: string,
    type: Type,
  ): Promise<CarrierEvent & { type: Type }> {
    const find = (): CarrierEvent | undefined =>
      this.events.find((one) => one.attemptId === attemptId && one.type === type);
    await this.until(() => find() !== undefined);
    return find() as CarrierEvent & { type: Type };
  }

  close(): Promise<void> {
    return this.trunks.closeAll();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** Returns a dial. */
export function createDial(parts: Partial<DialRequest> = {}): DialRequest {
  return {
    attemptId: uuidv7(),
    workspaceId: "w",
    from: "+12025550190",
    to: "+12025550100",
    ringTimeoutSeconds: 20,
    eventsUrl: "",
    ...parts,
  };
}

/** Returns an order to transfer a call. */
export function createOrder(parts: Partial<TransferOrder> = {}): TransferOrder {
  return { ...COLD_ORDER, destination: "+12025550111", ringTimeoutSeconds: 10, ...parts };
}

/** A run of sipp. */
export interface Sipp {
  port: number;
  /** Resolves at its end with its exit code (0: every call went as the scenario says), its errors and its log. */
  ended: Promise<{ code: number; errors: string; log: string }>;
  kill(): void;
}

/** Returns the result of a run. When every call went well, sipp's errors are dropped: late copies on a busy machine. */
export async function outcomeOf(run: Sipp): Promise<{ code: number; errors: string }> {
  const { code, errors } = await run.ended;
  return { code, errors: code === 0 ? "" : errors };
}

/** Starts sipp with a scenario. */
export async function startSipp(
  steps: Step[],
  options: { calls?: number; args?: string[]; port?: number } = {},
): Promise<Sipp> {
  const port = options.port ?? (await freePort("UDP"));
  const folder = await mkdtemp(join(tmpdir(), "parley-sipp-"));
  const file = join(folder, "scenario.xml");
  await writeFile(file, writeScenario(steps));
  const errors = join(folder, "errors.log");
  const log = join(folder, "log.log");
  const args = ["-sf", file, "-i", HOST, "-p", String(port), "-m", String(options.calls ?? 1), "-nostdin"];
  args.push(
    "-trace_err",
    ...(process.env.SIPP_TRACE ? ["-trace_msg", "-message_file", process.env.SIPP_TRACE] : []),
    "-error_file",
    errors,
    "-trace_logs",
    "-log_file",
    log,
    "-timeout",
    "120s",
    "-mp",
    String(await freePort("UDP")),
  );
  const child = spawn("sipp", [...args, ...(options.args ?? [])], { cwd: folder, stdio: "ignore" });
  const ended = new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? -1)));
  const read = (path: string): Promise<string> => readFile(path, "latin1").catch(() => "");
  await untilBound(port, options.args?.includes("t1") ?? false).catch(async (error: unknown) => {
    throw new Error(`sipp does not run: ${await read(errors)}`, { cause: error });
  });
  return {
    port,
    ended: ended.then(async (code) => ({ code, errors: await read(errors), log: await read(log) })),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Waits until the system shows the port as bound, because programs do not report when they listen. */
async function untilBound(port: number, isTcp: boolean): Promise<void> {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, "0")} `;
  for (let tries = 0; tries < 1_000; tries++) {
    if ((await readFile(isTcp ? "/proc/net/tcp" : "/proc/net/udp", "latin1")).includes(hex)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Nothing listens on ${port}.`);
}
