import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Installation } from "../kit/backup-harness.ts";
import { createDatabase } from "../kit/database.ts";

test("without the folder of recordings, as with the settings of no server, no backup is made that lacks all of them", async () => {
  await using one = new Installation(await createDatabase());
  const folder = join(one.system.folder, "b");
  await one.database.query(
    `with w as (insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
                values (gen_random_uuid(), 'W', 'SANDBOX', 1, 1, 1) returning id)
     insert into call_recordings (workspace_id, attempt_id, row_id, path, sealed, state)
     select id, gen_random_uuid(), gen_random_uuid(), 'x.wav', false, 'READY' from w`,
  );
  const refused = await one.backup("create", folder);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`There is no folder ${one.recordings}`)]);
  expect(existsSync(folder)).toBe(false);
  expect((await one.backup("create", "--without-recordings", folder)).code).toBe(0);
});
