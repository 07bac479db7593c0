import setUp from "../tests/kit/global-setup.ts";
import { type Judgement, judge } from "../tests/kit/pauses/judge.ts";
import { CARRIERS, type CarrierName, PausedNodes } from "../tests/kit/pauses/paused-nodes.ts";
import type { ServerProcess } from "../tests/kit/server-process.ts";
import { createRandom } from "./random.ts";

/** Waiting rows of each carrier, so that a pause finds calls everywhere between claim and dial. */
const WAITING = 6;
const BATCH = 15;
const LONGEST_PAUSE_S = 180;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Work that goes on while a node sleeps. */
class Run {
  readonly cancelled = new Map<string, number>();
  readonly jobs = new Map<CarrierName, string>();
  calledAnew = 0;
  readonly #paused: PausedNodes;
  readonly #known = new Set<string>();
  /** The node that receives requests; null: both sleep. */
  awake: ServerProcess | null;
  isOver = false;

  constructor(paused: PausedNodes) {
    this.#paused = paused;
    [this.awake] = paused.nodes;
  }

  /** Keeps calls waiting, and places new calls to people whose earlier call ended UNCONFIRMED. */
  async feed(): Promise<void> {
    while (!this.isOver) {
      try {
        for (const carrier of CARRIERS) await this.#feedOne(carrier);
        await this.#callAnew();
      } catch {
        // The node that was asked fell asleep; the next round asks the other one.
      }
      await sleep(1_000);
    }
  }

  /** Cancels the running jobs. */
  async cancel(carriers: readonly CarrierName[]): Promise<void> {
    for (const carrier of carriers) {
      const job = this.jobs.get(carrier);
      if (!job || !this.awake) continue;
      await this.#paused.ask(carrier, "POST", `/call-jobs/${job}/cancel`, undefined, this.awake).then(
        () => this.cancelled.set(job, Date.now()),
        // The job was already over.
        () => undefined,
      );
    }
  }

  async #feedOne(carrier: CarrierName): Promise<void> {
    const job = this.jobs.get(carrier);
    const node = this.awake;
    if (!node) return;
    if (job) {
      const { totalRows, processedRows, status } = await this.#paused.ask(
        carrier,
        "GET",
        `/call-jobs/${job}`,
        undefined,
        node,
      );
      if (status === "RUNNING" && Number(totalRows) - Number(processedRows) > WAITING) return;
    }
    const people = Array.from({ length: BATCH }, () => this.#paused.newPerson(carrier));
    this.jobs.set(carrier, await this.#paused.post(carrier, people, node));
  }

  async #callAnew(): Promise<void> {
    const rows = await this.#paused.database.query<{ id: string; name: CarrierName; customer_number: string }>(
      `select r.id, w.name, r.customer_number from call_rows r join workspaces w on w.id = r.workspace_id
        where r.status = 'UNCONFIRMED'`,
    );
    for (const { id, name, customer_number: to } of rows) {
      if (this.#known.has(id) || !this.awake) continue;
      await this.#paused.post(name, [to], this.awake);
      this.#known.add(id);
      this.calledAnew++;
    }
  }
}

/**
 * Pauses one of two servers again and again, for 1 to 180 s (as many short pauses as long ones), at random moments,
 * while both dial over five carriers of which none bars an attempt. Meanwhile jobs are cancelled and people called
 * anew. Returns the faults: people who were rung twice, after their call had ended, or after it was cancelled, and
 * numbers whose pace was not kept. Options: `rounds`, and `seed`, which repeats a run as far as timing allows.
 */
export async function soakPauses(options: Map<string, number>, print: (line: string) => void): Promise<string[]> {
  const rounds = options.get("rounds") ?? 100;
  const seed = options.get("seed") ?? Date.now() % 100_000;
  const tearDown = await setUp();
  try {
    return await pauseAgain({ rounds, seed }, print);
  } finally {
    await tearDown();
  }
}

async function pauseAgain(
  { rounds, seed }: { rounds: number; seed: number },
  print: (line: string) => void,
): Promise<string[]> {
  const random = createRandom(seed);
  print(`Pauses: ${rounds} of 1 to ${LONGEST_PAUSE_S} s, two nodes, ${CARRIERS.join(", ")}; seed ${seed}.`);
  await using paused = await PausedNodes.open(CARRIERS);
  const run = new Run(paused);
  const feeding = run.feed();
  let faults = 0;
  for (let round = 1; round <= rounds; round++) {
    await sleep(random() * 4_000);
    const seconds = LONGEST_PAUSE_S ** random();
    const [sleeper, other] =
      random() < 0.5 ? paused.nodes : ([...paused.nodes].reverse() as [ServerProcess, ServerProcess]);
    const doesCancel = random() < 0.4;
    run.awake = other;
    sleeper.kill("SIGSTOP");
    const until = performance.now() + seconds * 1_000;
    await sleep(seconds * 1_000 * random());
    if (doesCancel) await run.cancel(CARRIERS.filter(() => random() < 0.5));
    await sleep(Math.max(0, until - performance.now()));
    sleeper.kill("SIGCONT");
    await sleep(500);
    const found = await judge(paused.database, paused.rings(), run.cancelled);
    const now = countFaults(found);
    if (now > faults) print(describe(found).join("\n"));
    faults = now;
    print(`  ${round}. pause of ${seconds.toFixed(1)} s: ${paused.rings().length} rings, ${faults} faults`);
  }
  run.isOver = true;
  await feeding;
  await settle(paused);
  const found = await judge(paused.database, paused.rings(), run.cancelled);
  print(await sumUp(paused, run, found, { rounds, seed }));
  return describe(found);
}

/** Waits until every row has ended: the longest horizon of a carrier is two minutes. */
async function settle(paused: PausedNodes): Promise<void> {
  const open = "select count(*)::int as n from call_rows where ended_at is null";
  await paused.until(
    () => paused.database.query<{ n: number }>(open),
    (rows) => rows[0]?.n === 0,
    400_000,
  );
}

function countFaults(found: Judgement): number {
  return Object.values(found).reduce((sum: number, list: string[]) => sum + list.length, 0);
}

function describe(found: Judgement): string[] {
  return Object.entries(found).flatMap(([kind, list]) => (list as string[]).map((text) => `${kind}: ${text}`));
}

async function sumUp(
  paused: PausedNodes,
  run: Run,
  found: Judgement,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<string> {
  const rings = paused.rings();
  const byCarrier = CARRIERS.map((name) => `${name} ${rings.filter((ring) => ring.carrier === name).length}`).join(
    ", ",
  );
  const rows = await paused.database.query<{ status: string; n: number }>(
    "select status, count(*)::int as n from call_rows group by 1 order by 1",
  );
  const [slots] = await paused.database.query<{ held: number }>(
    "select coalesce(sum(active_calls), 0)::int as held from phone_numbers",
  );
  return [
    `seed ${seed}, pauses ${rounds}, rings ${rings.length} (${byCarrier})`,
    `rung twice ${found.rungTwice.length}, dialled after the end ${found.afterEnd.length}, dialled after cancel ${found.afterCancel.length}, pace violations ${found.offPace.length}`,
    `jobs cancelled ${run.cancelled.size}, people called anew ${run.calledAnew}, slots held ${slots?.held ?? 0}`,
    `rows: ${rows.map(({ status, n }) => `${status} ${n}`).join(", ")}`,
  ].join("\n");
}
