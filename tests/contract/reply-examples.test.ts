import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiDocument, ApiSchemas, type DocumentedOperation } from "../kit/pages/api-schemas.ts";
import { membersOf, recordReplies, type RecordedOperation } from "../kit/reply-recorder.ts";
import { ROOT } from "../kit/repository.ts";
import { NOBODY } from "../kit/resources.ts";
import { World } from "../kit/world.ts";

/* `npm test -- --only tests tests/contract/reply-examples.test.ts -u` records the replies anew. */

const FILE = join(ROOT, "src/app/reply-examples.json");

let world: World;
let document: ApiDocument;
let operations: RecordedOperation[];
beforeAll(async () => {
  world = await World.start({ env: NOBODY });
  document = (await world.request("GET", "/openapi.json", { key: null })).body as unknown as ApiDocument;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
});
afterAll(() => world[Symbol.asyncDispose]());

test("the examples of replies have the members of what the server answers", async () => {
  const recorded = await recordReplies(world, operations);
  const text = readFileSync(FILE, "utf8");
  const kept = JSON.parse(text) as Record<string, unknown>;
  const changed = Object.keys({ ...kept, ...recorded }).filter(
    (key) => kept[key] === undefined || recorded[key] === undefined || differ(kept[key], recorded[key]),
  );
  // States and figures differ from run to run, so the file is compared as a whole only where a member came or went.
  await expect(changed.length > 0 ? `${JSON.stringify(recorded, null, 2)}\n` : text).toMatchFileSnapshot(FILE);
}, 300_000);

/** True where one of two values has a member that the schema of the other would have shown. */
function differ(kept: unknown, recorded: unknown): boolean {
  const [before, now] = [new Set(membersOf(kept)), new Set(membersOf(recorded))];
  const isNull = (path: string, other: Set<string>) => ![...other].some((one) => one.startsWith(parentOf(path)));
  return [...before.symmetricDifference(now)].some((path) => !isNull(path, before.has(path) ? now : before));
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("."), 0) + 1);
}

test("each JSON reply has an example, which is of its schema", () => {
  const schemas = new ApiSchemas(document);
  const missing: string[] = [];
  const faults: string[] = [];
  for (const operation of operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const media = content?.["application/json"] as { example?: unknown } | undefined;
      const key = `${operation.operationId} ${status}`;
      if (!status.startsWith("2") || !media) continue;
      if (media.example === undefined) missing.push(`${key} ${operation.method} ${operation.path}`);
      else
        faults.push(
          ...schemas
            .findReplyFaults(operation as unknown as DocumentedOperation, media.example)
            .map((fault) => `${key}: ${fault}`),
        );
    }
  }
  expect([missing, faults]).toEqual([[], []]);
});
