import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sleep } from "#src/platform/kernel/async.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { saidInTones } from "../kit/tone-recordings.ts";

const MIB = 1024 * 1024;
/** Time between two readings: an upload that is kept whole stays in memory for seconds. */
const READ_EVERY_MS = 50;
/** Most resident memory that an upload of 120 MB may add to that of uploads of 40 MB. */
const MAX_GROWTH_BYTES = 30 * MIB;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

interface Place {
  server: ServerProcess;
  key: string;
  job: string;
}

async function open(server: ServerProcess): Promise<Place> {
  await server.start();
  const made = await server.operator("workspace.create", { name: "T", sample: true });
  const { apiKey, transcriptionJob } = made as { apiKey: string; transcriptionJob: { id: string } };
  return { server, key: apiKey, job: `/api/external/v1/transcriptions/jobs/${transcriptionJob.id}/recordings` };
}

async function upload({ server, key, job }: Place, file: Blob): Promise<string> {
  const form = new FormData();
  form.append("file", file, "x.wav");
  const reply = await fetch(`${server.url}${job}/upload`, {
    method: "POST",
    body: form,
    headers: { "x-api-key": key },
  });
  const body = (await reply.json()) as { rowId: string };
  expect(reply.status, JSON.stringify(body)).toBe(200);
  return body.rowId;
}

async function residentBytes({ server }: Place): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

async function peakDuring(place: Place, work: () => Promise<unknown>): Promise<number> {
  let peak = 0;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentBytes(place));
      await sleep(READ_EVERY_MS);
    }
  })();
  await work();
  isOver = true;
  await watch;
  return peak;
}

/** Returns the least peak of four uploads: garbage not yet collected varies, memory that is held is in each of them. */
async function leastPeak(place: Place, file: Blob): Promise<number> {
  const peaks: number[] = [];
  for (let i = 0; i < 4; i++) peaks.push(await peakDuring(place, () => upload(place, file)));
  return Math.min(...peaks);
}

describe("an upload in a process of its own", () => {
  test("120 MB are streamed: resident memory grows by less than 30 MB", { timeout: 180_000 }, async () => {
    // Garbage is collected soon, so that it does not count as memory that is held.
    const eager = { NODE_OPTIONS: "--max-semi-space-size=1" };
    const server = await ServerProcess.create({ DATABASE_URL: database.url, ...eager }, ["--role", "api"]);
    try {
      const place = await open(server);
      // These uploads warm the process up to what any upload needs; one kept whole would add 80 MB to it.
      const before = await peakDuring(place, async () => {
        for (const size of [1, 40, 40, 40, 40]) await upload(place, new Blob([Buffer.alloc(size * MIB, 1)]));
      });
      const after = await leastPeak(place, new Blob([Buffer.alloc(120 * MIB, 2)]));
      expect(after - before).toBeLessThan(MAX_GROWTH_BYTES);
      const [stored] = await database.query<{ bytes: number }>(
        "select sum(length(data))::int as bytes from transcription_audio group by row_id order by 1 desc limit 1",
      );
      expect(stored?.bytes).toBe(120 * MIB);
    } finally {
      await server.stop();
    }
  });

  test(
    "what was acknowledged survives kill -9: another node transcribes it, and bills it once",
    { timeout: 180_000 },
    async () => {
      const first = await ServerProcess.create({ DATABASE_URL: database.url }, ["--role", "api"]);
      const second = await ServerProcess.create({ DATABASE_URL: database.url });
      try {
        const place = await open(first);
        const rowIds: string[] = [];
        for (let i = 0; i < 5; i++) rowIds.push(await upload(place, new Blob([saidInTones(`number ${i}`)])));
        first.kill();
        await first.gone;
        // The second node dies too, in the middle of its work.
        await second.start();
        await waitForStatus(rowIds, ["PROCESSING", "COMPLETED"], 1);
        second.kill();
        await second.gone;
        await second.start();
        await waitForStatus(rowIds, ["COMPLETED"], rowIds.length);
        const texts = await database.query<{ text: string }>(
          "select transcript->>'text' as text from transcription_rows where id = any($1) order by id",
          [rowIds],
        );
        expect(texts.map(({ text }) => text)).toEqual(rowIds.map((_id, i) => `number ${i}`));
        const [bills] = await database.query(
          "select count(*)::int as n, count(distinct subject_id)::int as rows from usage_entries where subject_id = any($1)",
          [rowIds],
        );
        expect(bills).toEqual({ n: rowIds.length, rows: rowIds.length });
      } finally {
        await second.stop();
        await first.stop();
      }
    },
  );
});

async function waitForStatus(rowIds: string[], statuses: string[], count: number): Promise<void> {
  const deadline = performance.now() + 50_000;
  for (;;) {
    const [row] = await database.query<{ n: number }>(
      "select count(*)::int as n from transcription_rows where id = any($1) and status = any($2)",
      [rowIds, statuses],
    );
    if ((row?.n ?? 0) >= count) return;
    if (performance.now() > deadline) throw new Error(`${row?.n} of ${count} recordings are ${statuses.join(" or ")}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
