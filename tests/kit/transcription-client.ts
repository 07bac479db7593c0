import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { saidInTones } from "./tone-recordings.ts";
import type { Sample, TestReply, World } from "./world.ts";

type Body = TestReply["body"];

/** Contents of an upload; a short WAV file unless set. */
export interface Upload {
  file?: Blob | null;
  fileName?: string;
  payload?: string;
  headers?: Record<string, string>;
  /** Path below the job's. */
  to?: string;
}

/** Requests about transcription, with the sample workspace's key. */
export class TranscriptionClient {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Creates a job and returns its path. */
  async makeJob(body: Record<string, unknown> = {}, sample: Sample = this.#world.sample): Promise<string> {
    const options = { body: { name: "Test", ...body }, key: sample.apiKey };
    const reply = await this.#world.request("POST", "/transcriptions/jobs", options);
    if (reply.status !== 200) throw new Error(reply.text);
    return `/transcriptions/jobs/${String(reply.body.id)}`;
  }

  send(job: string, body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<TestReply> {
    return this.#world.request("POST", `${job}/recordings`, { body, headers });
  }

  async upload(job: string, options: Upload = {}): Promise<TestReply> {
    const { file = new Blob([saidInTones("hello")], { type: "audio/wav" }), fileName = "call.wav", payload } = options;
    const form = new FormData();
    if (file) form.append("file", file, fileName);
    if (payload !== undefined) form.append("payload", payload);
    const reply = await fetch(`${this.#world.url}/api/external/v1${job}/${options.to ?? "recordings/upload"}`, {
      method: "POST",
      body: form,
      headers: { "x-api-key": this.#world.sample.apiKey, ...options.headers },
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, body: JSON.parse(text) as Body };
  }

  /** Returns the recording of a receipt, once it has ended. */
  ended(job: string, receipt: Body): Promise<Body> {
    const isOver = ({ status }: Body) => status === "COMPLETED" || status === "FAILED";
    return this.#world.until(`${job}/recordings/${String(receipt.rowId)}`, isOver);
  }

  /** Returns the ledger entries of a recording. */
  bills(rowId: unknown): Promise<{ kind: string; quantity: number; simulated: boolean }[]> {
    return this.#world.database.query(
      "select kind, quantity::float8 as quantity, simulated from usage_entries where subject_id = $1",
      [rowId],
    );
  }

  async count(table: string, where = "true"): Promise<number | undefined> {
    const sql = `select count(*)::int as n from ${table} where ${where}`;
    return (await this.#world.database.query<{ n: number }>(sql))[0]?.n;
  }

  /** Returns the files in the spool; a recording's file stays there until its transcription has ended. */
  spooled(): string[] {
    const folder = join(this.#world.dataDir, "spool");
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}
