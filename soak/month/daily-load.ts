import { createServer, type Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { FormData } from "undici";
import { freePort } from "#kit/free-port.ts";
import { saidInTones } from "#kit/tone-recordings.ts";
import type { Installation, Workspace } from "../installation.ts";
import type { Latencies } from "../latencies.ts";
import { addJob, askOne, person } from "../ordinary-load.ts";

const PER_SECOND = 20;
/** Requests from one job to the next. */
const JOB_EVERY = 120;
const AUDIO_CALLS = 3;
const TRANSCRIPTIONS = 3;
const ERASURES = 3;
const SCENARIOS = [{ persona: "agrees" }, { persona: "declines" }];

/** Workspaces that are used every day. */
interface Used {
  busy: Workspace[];
  /** Its calls are spoken, in real time. */
  audio: Workspace;
}

/** Work of each day of the soak: requests, jobs, and some of everything that is rarer. */
export class DailyLoad implements AsyncDisposable {
  readonly #installation: Installation;
  readonly #used: Used;
  readonly #receiver: Server;
  readonly #jobs = new Map<Workspace, string>();
  #tick = 0;

  private constructor(installation: Installation, used: Used, receiver: Server) {
    this.#installation = installation;
    this.#used = used;
    this.#receiver = receiver;
  }

  /**
   * Sets up webhooks and a transcription job. Nothing listens where the second webhook leads, so each of its deliveries
   * fails at once and is tried again for days.
   */
  static async open(installation: Installation, used: Used): Promise<DailyLoad> {
    const receiver = createServer((_request, reply) => reply.end());
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const { port } = receiver.address() as { port: number };
    const load = new DailyLoad(installation, used, receiver);
    const [first, second] = used.busy as [Workspace, Workspace];
    await load.#make(first, "/session-webhooks", { url: `http://127.0.0.1:${port}/hook` });
    await load.#make(second, "/session-webhooks", { url: `http://127.0.0.1:${await freePort()}/hook` });
    load.#jobs.set(first, await load.#make(first, "/transcriptions/jobs", { name: "Calls" }));
    return load;
  }

  /** Runs one day for `seconds`. */
  async run(seconds: number, latencies: Latencies): Promise<void> {
    const startedAt = performance.now();
    const rare = this.#doRareThings(latencies);
    // It is waited for below; until then nobody would see that it failed.
    rare.catch(() => undefined);
    const open: Promise<unknown>[] = [];
    for (let i = 0; i < seconds * PER_SECOND; i++) {
      await pause(Math.max(0, startedAt + (i * 1_000) / PER_SECOND - performance.now()));
      const { busy } = this.#used;
      const tick = this.#tick++;
      const workspace = busy[tick % busy.length] as Workspace;
      const sent =
        tick % JOB_EVERY === 0
          ? addJob(this.#installation, workspace, tick, latencies)
          : askOne(this.#installation, workspace, tick, latencies, busy.length);
      open.push(sent);
    }
    await Promise.all([rare, ...open]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#receiver.close(resolve));
  }

  async #doRareThings(latencies: Latencies): Promise<void> {
    const [first] = this.#used.busy as [Workspace];
    for (let i = 0; i < AUDIO_CALLS; i++)
      await this.#send(this.#used.audio, "/outbound/calls", this.#call(this.#used.audio, i), latencies);
    for (let i = 0; i < TRANSCRIPTIONS; i++) {
      const form = new FormData();
      form.append("file", new Blob([saidInTones(`day ${this.#tick}`)], { type: "audio/wav" }), "call.wav");
      await this.#send(first, `/transcriptions/jobs/${this.#jobs.get(first)}/recordings/upload`, form, latencies);
    }
    await this.#send(
      first,
      "/simulations",
      { suite: { suite: "Day", flow: first.flow.id, scenarios: SCENARIOS } },
      latencies,
    );
    await this.#erase(first, latencies);
    const { workspaceId } = first;
    const { keyId } = await this.#installation.server.operator("key.create", { workspaceId });
    const rotated = await this.#installation.server.operator("key.rotate", { workspaceId, id: keyId });
    await this.#installation.server.operator("key.revoke", { id: rotated.keyId });
  }

  async #erase(workspace: Workspace, latencies: Latencies): Promise<void> {
    const path = `/contacts?size=${ERASURES}`;
    const { status, text } = await this.#installation.ask(workspace, "GET", path, undefined, latencies);
    if (status !== 200) return;
    const { content } = JSON.parse(text) as { content: { id: string }[] };
    for (const { id } of content)
      await this.#installation.ask(workspace, "DELETE", `/contacts/${id}`, undefined, latencies);
  }

  #call(workspace: Workspace, i: number): object {
    return { flowId: workspace.flow.id, customerNumber: person(this.#tick + i * 31) };
  }

  /** Rejects for a request that was refused. One that failed is in the latencies, and is a fault of its day. */
  async #send(workspace: Workspace, path: string, body: object, latencies: Latencies): Promise<void> {
    const { status, text } = await this.#installation.ask(workspace, "POST", path, body, latencies);
    if (status >= 300 && status < 500) throw new Error(`POST ${path}: ${status} ${text}`);
  }

  async #make(workspace: Workspace, path: string, body: object): Promise<string> {
    const { status, text } = await this.#installation.ask(workspace, "POST", path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
    return (JSON.parse(text) as { id: string }).id;
  }
}
