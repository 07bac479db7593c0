import { afterAll, beforeAll, expect, test } from "vitest";
import { importJob } from "#src/interactions/call-jobs/import-csv.ts";
import { ImportPace, type SharedNumber, shareNumber } from "#src/interactions/call-jobs/import-pace.ts";
import { learnNames } from "#src/interactions/call-jobs/learn-names.ts";
import { learnSomeNames } from "#src/interactions/call-jobs/names-store.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { openSession } from "#src/platform/db/session.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { type TestReply, World } from "../kit/world.ts";

/** It takes uploads and leaves the import of them to the tests. */
let world: World;
let database: Database;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
  database = openDatabase({ connectionString: world.database.url }, { max: 2 }, () => undefined);
});
afterAll(async () => {
  await database.close();
  await world[Symbol.asyncDispose]();
});

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const LINES = 10_400;

/** People, some of them with an id that came before, among lines that are no contact or no CSV. */
function makeLines(): string[] {
  return Array.from({ length: LINES }, (_, i) => {
    if (i % 701 === 700) return `+1415${2_000_000 + i},"Person" ${i}",id-${i}`;
    if (i % 97 === 96) return `not a number,Person ${i},id-${i}`;
    if (i % 501 === 500) return `+1415${2_000_000 + i},Person ${i},id-${i - 400}`;
    return `+1415${2_000_000 + i},"Person ${i}\nof two lines",id-${i}`;
  });
}

async function upload(
  lines: string[],
  columns = "customerNumber,contactName,externalId",
  settings = `?startAt=${TOMORROW}`,
): Promise<{ workspaceId: string; jobId: string }> {
  const made = await world.request("POST", `/call-jobs${settings}`, {
    raw: `${columns}\n${lines.join("\n")}\n`,
    headers: { "content-type": "text/csv" },
  });
  expect(made.body.status, made.text).toBe("IMPORTING");
  return { workspaceId: world.sample.workspaceId, jobId: String(made.body.id) };
}

/** The pace of a thread, with the share that is rested after the next piece asked for behind each one. */
class AskedPace extends ImportPace {
  readonly #rests: SharedNumber;
  readonly #restShare: () => number;

  constructor(restShare: () => number) {
    const rests = shareNumber();
    super({ rests, turn: shareNumber() }, 1);
    this.#rests = rests;
    this.#restShare = restShare;
  }

  override async run<T>(work: () => Promise<T>, leastRest?: number): Promise<T> {
    const result = await super.run(work, leastRest);
    this.#rests[0] = 100 * this.#restShare();
    return result;
  }
}

/** Imports as a thread does: over two connections of its own. */
async function run(
  work: { workspaceId: string; jobId: string },
  restShare: () => number = () => 0,
  pace: ImportPace = new AskedPace(restShare),
) {
  await using connections = new AsyncDisposableStack();
  const open = async () =>
    connections.adopt(await openSession({ connectionString: world.database.url }), (session) => session.close());
  return await importJob({ sessions: [await open(), await open()], ...work }, pace);
}

async function contentOf(jobId: string) {
  const rows = await world.database.query(
    `select line, customer_number, contact_name, external_id, phone_number_id, status from call_rows where job_id = $1 order by id`,
    [jobId],
  );
  const errors = await world.database.query(
    "select line, column_name, code from call_job_row_errors where job_id = $1 order by line, column_name",
    [jobId],
  );
  const [job] = await world.database.query(
    `select status, total_rows, rejected_rows,
            (select count(*)::int from lanes l where l.job_id = j.id) as lanes,
            (select count(*)::int from import_chunks c where c.job_id = j.id) as chunks
       from call_jobs j where id = $1`,
    [jobId],
  );
  return { job, rows, errors };
}

test("an import that is cut off again and again stores what one does that is not", async () => {
  const lines = makeLines();
  const whole = await upload(lines);
  expect(await run(whole)).toEqual({ kind: "DONE" });

  const pieces = await upload(lines);
  const importSome = (batches: number) => {
    let left = batches;
    // Thrown right behind a transaction, like a process that is killed there.
    const cut = () => {
      if (--left > 0) return 0;
      throw new Error("cut off");
    };
    return run(pieces, cut).catch((error: unknown) => (error as Error).message);
  };
  for (const batches of [1, 1, 2]) {
    expect(await importSome(batches)).toBe("cut off");
    const { job } = await contentOf(pieces.jobId);
    expect(job, "nobody is called before all are there").toMatchObject({ status: "IMPORTING", lanes: 0 });
  }
  expect(await importSome(1_000)).toEqual({ kind: "DONE" });
  const stored = await contentOf(pieces.jobId);
  expect(stored).toEqual(await contentOf(whole.jobId));
  expect(stored.job).toMatchObject({ status: "RUNNING", lanes: 1, chunks: 0, total_rows: stored.rows.length });
  expect(stored.rows.length + stored.errors.length).toBe(LINES);
});

test("a batch waits for the one before, however long that waits for the job", async () => {
  const lines = Array.from({ length: LINES }, (_, i) => `+1415${2_000_000 + i},Person ${i},`);
  const work = await upload(lines);
  const client = await world.database.pool().connect();
  await client.query("begin");
  await client.query("select id from call_jobs where id = $1 for update", [work.jobId]);
  const importing = run(work);
  await Promise.race([sleep(11_500), importing.catch(() => undefined)]);
  await client.query("commit");
  client.release();
  expect(await importing).toEqual({ kind: "DONE" });
  expect((await contentOf(work.jobId)).rows).toHaveLength(LINES);
});

test("rows are dialled by their priorities, and else in their order, however long the import takes", async () => {
  const lines = Array.from({ length: LINES }, (_, i) => `+1415${2_000_000 + i},${Math.floor((2 * i) / LINES)}`);
  const work = await upload(lines, "customerNumber,priority", "");
  expect(await run(work)).toEqual({ kind: "DONE" });
  const rows = await world.database.query<{ line: number }>(
    "select line from call_rows where job_id = $1 order by due_at, id",
    [work.jobId],
  );
  const expected = Array.from({ length: LINES }, (_, i) => 2 + ((i + LINES / 2) % LINES));
  expect(rows.map(({ line }) => line)).toEqual(expected);
});

test("an import that is cancelled ends with the rows that were there", async () => {
  const lines = Array.from({ length: LINES }, (_, i) => `+1415${2_000_000 + i},Person ${i},`);
  const work = await upload(lines);
  const path = `/call-jobs/${work.jobId}`;
  let batches = 0;
  const answers: TestReply[] = [];
  class CancellingPace extends AskedPace {
    override async run<T>(step: () => Promise<T>): Promise<T> {
      const result = await super.run(step);
      if (++batches === 2) answers.push(await world.request("POST", `${path}/cancel`));
      return result;
    }
  }
  await run(work, undefined, new CancellingPace(() => 0));
  expect(answers).toMatchObject([{ status: 200, body: { status: "CANCELLED" } }]);
  expect(await run(work)).toEqual({ kind: "DONE" });
  const { job, rows } = await contentOf(work.jobId);
  expect(job).toMatchObject({ status: "CANCELLED", lanes: 0, chunks: 0, total_rows: rows.length });
  expect(rows.length).toBeGreaterThan(0);
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["CANCELLED"]));
  expect((await world.request("GET", path)).body).toMatchObject({ processedRows: rows.length });
});

/** Looks until so many connections wait within a transaction of an import, which did this last. */
async function seeWaiting(state: string, lastly: string, count = 1): Promise<void> {
  const waiting = () =>
    world.database.query(
      `select pid from pg_stat_activity where datname = current_database() and query like $1
          and (state = $2 or wait_event_type = $2)`,
      [lastly, state],
    );
  await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(count);
}

test("a batch is copied while the one before it is stored, and stored after it", async () => {
  const whole = await upload(makeLines());
  await run(whole);
  const work = await upload(makeLines());
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select 1 from call_jobs where id = $1 for update", [work.jobId]);
    const importing = run(work);
    await seeWaiting("Lock", "select * from call_jobs%for update");
    await seeWaiting("idle in transaction", "%insert into call_job_row_errors%");
    await client.query("commit");
    expect(await importing).toEqual({ kind: "DONE" });
  } finally {
    client.release();
  }
  expect(await contentOf(work.jobId)).toEqual(await contentOf(whole.jobId));
});

test("while other workspaces send requests, one batch is on its way at a time", async () => {
  const work = await upload(makeLines());
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select 1 from call_jobs where id = $1 for update", [work.jobId]);
    const pace = new AskedPace(() => 0.01);
    await pace.run(() => Promise.resolve());
    const importing = run(work, undefined, pace);
    await seeWaiting("Lock", "select * from call_jobs%for update");
    await seeWaiting("idle in transaction", "%", 1);
    await client.query("commit");
    expect(await importing).toEqual({ kind: "DONE" });
  } finally {
    client.release();
  }
});

test("a connection that breaks within a batch leaves nothing of it, and the next import goes on before it", async () => {
  const work = await upload(makeLines());
  let batches = 0;
  const broken = run(work, () => {
    if (++batches === 3) {
      void world.database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%call_rows%' and pid <> pg_backend_pid()",
      );
    }
    return 0;
  });
  await broken.catch(() => undefined);
  await expect.poll(() => run(work), { timeout: 30_000 }).toEqual({ kind: "DONE" });
  const { rows, errors } = await contentOf(work.jobId);
  expect(rows.length + errors.length).toBe(LINES);
  expect(new Set(rows.map((row) => (row as { line: number }).line)).size).toBe(rows.length);
});

test("two imports of one job, as after a lease that ran out, store each row once", async () => {
  const work = await upload(makeLines());
  const ends = await Promise.all([run(work), run(work)]);
  for (const end of ends) expect(["DONE", "LATER"]).toContain(end.kind);
  if (!ends.some(({ kind }) => kind === "DONE")) await run(work);
  const { job, rows, errors } = await contentOf(work.jobId);
  expect(rows.length + errors.length).toBe(LINES);
  expect(job).toMatchObject({ status: "RUNNING", lanes: 1, total_rows: rows.length, rejected_rows: errors.length });
});

test("of a file that cannot be read to its end nothing stays", async () => {
  const work = await upload(makeLines());
  const cut = () => {
    throw new Error("cut off");
  };
  await expect(run(work, cut)).rejects.toThrow("cut off");
  await world.database.query(
    "update import_chunks set data = 'name,name' || substring(data from 10) where position = 0",
  );
  expect(await run(work)).toMatchObject({ kind: "DEAD" });
  expect(await contentOf(work.jobId)).toEqual({
    job: { status: "FAILED", total_rows: 0, rejected_rows: 0, lanes: 0, chunks: 0 },
    rows: [],
    errors: [],
  });
});

test("of a file that cannot be read nothing stays although its job is cancelled meanwhile", async () => {
  const work = await upload(makeLines());
  class CancellingPace extends AskedPace {
    override async run<T>(step: () => Promise<T>): Promise<T> {
      return super.run(step).catch(async (error: unknown) => {
        await world.request("POST", `/call-jobs/${work.jobId}/cancel`);
        throw error;
      });
    }
  }
  await world.database.query(
    "update import_chunks set data = 'name,name' || substring(data from 10) where position = 0",
  );
  expect(await run(work, undefined, new CancellingPace(() => 0))).toMatchObject({ kind: "DEAD" });
  expect((await contentOf(work.jobId)).job).toMatchObject({ status: "CANCELLED", chunks: 0 });
});

test("an import rests between its transactions, and none of them stays open", async () => {
  const work = await upload(makeLines());
  const open: Promise<unknown[]>[] = [];
  await run(work, () => {
    open.push(
      world.database.query(
        `select pid from pg_stat_activity where datname = current_database() and xact_start < clock_timestamp() - interval '2 seconds'
            and backend_type = 'client backend'`,
      ),
    );
    return 0.5;
  });
  expect(open.length).toBeGreaterThan(4);
  expect((await Promise.all(open)).flat()).toEqual([]);
});

const wordsOf = (jobId: string) =>
  world.database.query<{ word: string; id: string }>(
    "select n.word, r.id from call_rows r join call_names n on n.row_id = r.id where r.job_id = $1 order by r.id, n.word",
    [jobId],
  );

const searchableRows = async (jobId: string) => {
  const { totalRows, searchableRows } = (await world.request("GET", `/call-jobs/${jobId}`)).body;
  return [searchableRows, totalRows];
};

test("names are indexed after an import, whole, however often that is cut off and by however many", async () => {
  const work = await upload(makeLines());
  await run(work);
  const total = (await contentOf(work.jobId)).rows.length;
  expect([await searchableRows(work.jobId), await wordsOf(work.jobId)]).toEqual([[0, total], []]);
  for (let i = 0; i < 3; i++) await learnSomeNames(database.db, work.workspaceId, work.jobId);
  expect((await searchableRows(work.jobId))[0]).toBe(1_500);
  const learn = async () => {
    while ((await learnNames({ db: database.db, ...work }, new AskedPace(() => 0))).kind !== "DONE");
  };
  await Promise.all([learn(), learn()]);
  expect(await searchableRows(work.jobId)).toEqual([total, total]);
  const wanted = await world.database.query(
    "select w.word, r.id from call_rows r cross join lateral name_words(r.contact_name) as w(word) where r.job_id = $1 order by r.id, w.word",
    [work.jobId],
  );
  expect(wanted.length).toBeGreaterThan(3 * total);
  expect(await wordsOf(work.jobId)).toEqual(wanted);
  const found = await world.request("GET", `/call-jobs/${work.jobId}/rows?search=person+4242`);
  expect(found.body.content).toMatchObject([{ contactName: expect.stringContaining("Person 4242") as string }]);
});

test("a name has the words that it had when a pattern cut it", async () => {
  const names = [
    "Ada Lovelace",
    "ada ADA, Ada",
    ' O\'Neill-Smith (Jr.)  "Bob"; a/b_c:d\t\u000b\f\r\nend ',
    "Élodie  Ångström\u00a0Zoë\u2003İpek\u3000山田",
    "Łukasz ﬁne \u0301\u0301",
    "x".repeat(80),
    "é".repeat(80),
    "a\u001fb a\u0085b \u{1f600}",
    "-_- ...",
    "",
    null,
  ];
  const words = await world.database.query(
    `select n.at, array(select name_words(n.name) order by 1) as words,
        array(select distinct search_word(w) from regexp_split_to_table(n.name, '[[:space:].,;:()"''/_-]+') as w
               where w <> '' order by 1) as before
       from unnest($1::text[]) with ordinality as n(name, at) order by 1`,
    [names],
  );
  for (const row of words) expect(row.words, String(row.at)).toEqual(row.before);
  expect(words[1]).toMatchObject({ words: ["ada"] });
  expect(words[3]).toMatchObject({ words: ["angstrom", "elodie", "ipek", "zoe", "山田"] });
  expect(words[5]).toMatchObject({ words: ["x".repeat(60)] });
});

test("a name that is erased while it is being indexed leaves no word behind", async () => {
  const work = await upload(makeLines());
  await run(work);
  const [row] = (await contentOf(work.jobId)).rows as { line: number }[];
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    const blanked = await client.query<{ id: string }>(
      "update call_rows set contact_name = null where job_id = $1 and line = $2 returning id",
      [work.jobId, row?.line],
    );
    const learning = learnSomeNames(database.db, work.workspaceId, work.jobId);
    const waits = () =>
      world.database.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%words_of_name%'",
      );
    await expect.poll(waits, { timeout: 20_000 }).toHaveLength(1);
    await client.query("commit");
    await learning;
    const words = await wordsOf(work.jobId);
    expect(words.length).toBeGreaterThan(1_000);
    expect(words.filter(({ id }) => id === blanked.rows[0]?.id)).toEqual([]);
  } finally {
    client.release();
  }
});
