import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const PATH = "/do-not-call";
const listed = async (query = "") =>
  (await world.request("GET", `${PATH}?${query}`)).body as {
    content: { number: string; source: string; note: string | null }[];
    nextCursor: string | null;
  };

test("numbers are added with a note, read, listed page by page, and added again without harm", async () => {
  const numbers = ["+12025550111", "+12025550112", "+442079460101"];
  const added = await world.request("POST", PATH, { body: { numbers, note: "Asked by letter" } });
  expect(added).toMatchObject({ status: 200, body: { added: 3, alreadyListed: 0 } });
  const again = await world.request("POST", PATH, { body: { numbers: [...numbers, "+12025550113"], note: "other" } });
  expect(again.body).toEqual({ added: 1, alreadyListed: 3 });
  const first = await listed("source=OPERATOR&size=2");
  expect(first.content.map(({ number }) => number)).toEqual(["+12025550111", "+12025550112"]);
  const rest = await listed(`source=OPERATOR&size=2&cursor=${encodeURIComponent(first.nextCursor ?? "")}`);
  expect(rest).toMatchObject({ content: [{ number: "+12025550113" }, { number: "+442079460101" }], nextCursor: null });
  expect((await listed("source=OPERATOR&startsWith=%2B44")).content).toHaveLength(1);
  const one = await world.request("GET", `${PATH}/+12025550111`);
  expect(one.body).toMatchObject({ number: "+12025550111", source: "OPERATOR", note: "Asked by letter" });
  expect((await world.request("GET", `${PATH}/+12025550199`)).status).toBe(404);
});

test("a CSV is imported, its faulty lines are named, and the export is taken back by an import", async () => {
  const csv = 'name,number,note\nA,+1 (202) 555-0121,"by phone, twice"\nB,call me,\nC,+12025550122,=1+1\n';
  const imported = await world.request("POST", `${PATH}/import`, { body: { csv } });
  expect(imported.body).toMatchObject({ added: 2, errorCount: 1, errors: [{ line: 3, code: "NUMBER" }] });
  const exported = await world.request("GET", `${PATH}/export`);
  expect(exported.status).toBe(200);
  expect(exported.text).toContain('+12025550121,OPERATOR,"by phone, twice",');
  expect(exported.text).toContain("+12025550122,OPERATOR,'=1+1,");
  // Excel takes a file without a byte order mark for one of the system's own encoding; fetch leaves it out of a text.
  const csvFile = await fetch(`${world.url}/api/external/v1${PATH}/export`, {
    headers: { "x-api-key": world.sample.apiKey },
  });
  const bytes = Buffer.from(await csvFile.arrayBuffer());
  expect(bytes.toString()).toBe(`\uFEFF${exported.text}`);
  const back = await world.request("POST", `${PATH}/import`, { body: { csv: bytes.toString() } });
  expect(back.body).toMatchObject({ added: 0, errorCount: 0 });
  expect((await world.request("POST", `${PATH}/import`, { body: { csv: "a,b\n1,2\n" } })).status).toBe(422);
  expect((await world.request("POST", `${PATH}/import`, { body: { csv: '"' } })).status).toBe(422);
  const many = await world.request("POST", `${PATH}/import`, { body: { csv: "+12025550123\n".repeat(50_002) } });
  expect(many.status).toBe(422);
});

test.each([
  ["semicolons", "number;note\n+12025550161;by phone, twice\n+12025550162;\n"],
  ["tabs", "number\tnote\n+12025550163\tby phone, twice\n+12025550164\t\n"],
  ["semicolons and no header", '"+12025550165";by phone, twice, in May\n+12025550166;\n'],
  ["a line that names the separator", "sep=;\r\nnumber;note\r\n+12025550171;by phone, twice\r\n+12025550172;\r\n"],
  ["the line ends of an old Mac", "number,note\r+12025550173,by phone; twice\r+12025550174,\r"],
  ["commas, with semicolons in a note", "+12025550167,by phone; twice; in May\n+12025550168,\n"],
])("a spreadsheet's CSV with %s is imported with its notes", async (_, csv) => {
  const imported = await world.request("POST", `${PATH}/import`, { body: { csv } });
  expect(imported.body).toMatchObject({ added: 2, errorCount: 0 });
  const [number] = /\+\d+/.exec(csv) ?? [];
  expect((await world.request("GET", `${PATH}/${number}`)).body).toMatchObject({
    note: expect.stringMatching(/^by phone[,;] twice/),
  });
});

test("who, when and why is audited of a removal, and a person's own word needs their consent", async () => {
  const { workspaceId } = world.sample;
  const number = "+12025550131";
  await world.database.query("insert into do_not_call (workspace_id, number, source) values ($1, $2, 'STOP_KEYWORD')", [
    workspaceId,
    number,
  ]);
  // An operator who adds it, too, makes no entry that they could take back.
  await world.request("POST", PATH, { body: { numbers: [number] } });
  const path = `${PATH}/${number}`;
  expect((await world.request("DELETE", path)).status).toBeGreaterThanOrEqual(400);
  expect((await world.request("DELETE", `${path}?reason=Mistake`)).status).toBe(409);
  expect((await world.request("GET", path)).status).toBe(200);
  const consent = encodeURIComponent("Signed the form on 2 May");
  expect((await world.request("DELETE", `${path}?reason=Customer%20again&consent=${consent}`)).status).toBe(204);
  expect((await world.request("DELETE", `${path}?reason=x`)).status).toBe(404);
  const rows = await world.database.query(
    "select actor, target, details from audit_log where workspace_id = $1 and action = 'do_not_call.removed'",
    [workspaceId],
  );
  expect(rows).toMatchObject([
    {
      actor: expect.stringMatching(/^API key /),
      target: number,
      details: { reason: "Customer again", consent: "Signed the form on 2 May" },
    },
  ]);
});

test("the ledger of one workspace is none of another's", async () => {
  const other = await world.createWorkspace();
  await world.request("POST", PATH, { key: other.apiKey, body: { numbers: ["+12025550141"] } });
  expect((await world.request("GET", `${PATH}/+12025550141`)).status).toBe(404);
  expect((await world.request("DELETE", `${PATH}/+12025550141?reason=x`)).status).toBe(404);
});

test("a number is read and removed as it was written in the import", async () => {
  const written = ["+1 (202) 555-0151", "0044 20 7946 0102", "+44 (0)20-7946 0103"];
  const numbers = ["+12025550151", "+442079460102", "+442079460103"];
  const imported = await world.request("POST", `${PATH}/import`, { body: { csv: `number\n${written.join("\n")}\n` } });
  expect(imported.body).toMatchObject({ added: 3, errorCount: 0 });
  for (const [i, text] of written.entries()) {
    const path = `${PATH}/${encodeURIComponent(text)}`;
    expect((await world.request("GET", path)).body).toMatchObject({ number: numbers[i] });
    expect((await world.request("DELETE", `${path}?reason=Mistake`)).status).toBe(204);
    expect((await world.request("GET", `${PATH}/${String(numbers[i])}`)).status).toBe(404);
  }
  const targets = await world.database.query(
    "select target from audit_log where action = 'do_not_call.removed' and target = any($1) order by id",
    [numbers],
  );
  expect(targets).toEqual(numbers.map((target) => ({ target })));
  expect((await world.request("GET", `${PATH}/555-0151`)).status).toBe(400);
});
