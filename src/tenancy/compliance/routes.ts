import { Readable } from "node:stream";
import type { Executor } from "#src/platform/db/database.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyValue, E164, nullable, oneOf, Type } from "#src/platform/http/schemas.ts";
import { toLikelyE164 } from "#src/platform/kernel/e164.ts";
import { actorBehind } from "#src/tenancy/audit/actor.ts";
import { MAX_IMPORT_CHARACTERS, readImport, toLine } from "./do-not-call-import.ts";
import { addEntries, DoNotCallEntry, listEntries, readEntry, removeEntry, SOURCES } from "./do-not-call-list.ts";

/** Path of the ledger in the external API. */
export const DO_NOT_CALL_PATH = "/api/external/v1/do-not-call";
const PATH = DO_NOT_CALL_PATH;
const READ = ["CALL_JOBS_READ"];
const WRITE = ["CALL_JOBS_WRITE"];
const common = { audience: "external", tag: "Do-not-call" } as const;
const EXPORT_PAGE = 5_000;
const plain = (maxLength: number, description: string, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: "^[^\\u0000]*\\S[^\\u0000]*$", description });
/** A number in a path, in any way in which an import takes it. */
const WrittenNumber = Type.String({
  pattern: "^(?:\\+|00)[\\d\\s().\\-/]{6,40}$",
  description: "Number with its country, such as +12025550100, also as an import takes it: +1 (202) 555-0100.",
});
const toNumber = (written: string) => toLikelyE164(written) ?? written;
const Added = Type.Object(
  { added: Type.Integer(), alreadyListed: Type.Integer({ description: "Entries that were there before." }) },
  { $id: "DoNotCallAdded" },
);

/** The do-not-call ledger for programs: list, read, add, import, export, remove; all extensions. */
export function doNotCallApiRoutes(db: Executor): Route[] {
  return [...readRoutes(db), exportRoute(db), addRoute(), importRoute(), removeRoute(db)];
}

function readRoutes(db: Executor): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the numbers that are neither called nor written to, by number (extension)",
      query: Type.Object({
        size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: "Entries a page. Default 100." })),
        cursor: Type.Optional(
          Type.String({ pattern: "^\\+[1-9]\\d{1,14}$", description: "nextCursor of the page before." }),
        ),
        source: Type.Optional(oneOf(SOURCES, "How the number came onto the list.")),
        startsWith: Type.Optional(Type.String({ pattern: "^\\+\\d{0,15}$", description: "How the number begins." })),
      }),
      replies: {
        200: Type.Object(
          {
            content: Type.Array(DoNotCallEntry),
            nextCursor: nullable(Type.String({ description: "Null on the last page." })),
          },
          { $id: "DoNotCallPage" },
        ),
      },
      async run({ caller, query: { size = 100, cursor = "", source, startsWith = "" } }) {
        const rows = await listEntries(db, caller.workspaceId, { size: size + 1, after: cursor, source, startsWith });
        const content = rows.slice(0, size);
        return { content, nextCursor: rows.length > size ? (content.at(-1)?.number ?? null) : null };
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{number}`,
      access: READ,
      summary: "Read the entry of a number (extension)",
      description: "404 when the number may be called.",
      params: Type.Object({ number: WrittenNumber }),
      replies: { 200: DoNotCallEntry },
      run: ({ caller, params: { number } }) => readEntry(db, caller.workspaceId, toNumber(number)),
    }),
  ];
}

function exportRoute(db: Executor): Route {
  return route({
    ...common,
    method: "GET",
    path: `${PATH}/export`,
    access: READ,
    summary: "Export the whole ledger as CSV: number, source, note, createdAt (extension)",
    produces: "text/csv",
    replies: { 200: anyValue("CSV with a header; UTF-8 with a byte order mark.") },
    run: async ({ caller }) =>
      new Reply(200, Readable.from(exportLines(db, caller.workspaceId)), { "content-type": "text/csv; charset=utf-8" }),
  });
}

async function* exportLines(db: Executor, workspaceId: string): AsyncIterable<string> {
  // By the byte order mark Excel knows UTF-8.
  yield `\uFEFF${toLine(["number", "source", "note", "createdAt"])}`;
  for (let after = ""; ;) {
    const rows = await listEntries(db, workspaceId, { size: EXPORT_PAGE, after, source: undefined, startsWith: "" });
    if (rows.length === 0) return;
    yield rows.map(({ number, source, note, createdAt }) => toLine([number, source, note, createdAt])).join("");
    after = rows.at(-1)?.number ?? "";
  }
}

function addRoute(): Route {
  return route({
    ...common,
    method: "POST",
    path: PATH,
    access: WRITE,
    summary: "Add numbers; they hold from the next claim and the next message on (extension)",
    description: "Their source is OPERATOR. A number that is listed already keeps its source and note.",
    body: Type.Object(
      {
        numbers: Type.Array(E164, { minItems: 1, maxItems: 10_000 }),
        note: Type.Optional(nullable(plain(500, "Why, kept with each number."))),
      },
      { $id: "DoNotCallNumbers" },
    ),
    idempotent: true,
    replies: { 200: Added },
    run: ({ tx, caller, body: { numbers, note = null } }) =>
      addEntries(
        tx,
        caller.workspaceId,
        numbers.map((number) => ({ number, note })),
      ),
  });
}

function importRoute(): Route {
  return route({
    ...common,
    method: "POST",
    path: `${PATH}/import`,
    access: WRITE,
    summary: "Import numbers from the text of a CSV (extension)",
    description:
      "Columns `number` (with its country; spaces and brackets do not matter) and optionally `note`, separated by commas, semicolons or tabs. Lines that hold no number are reported and left out; the others are listed. At most 50,000 lines.",
    body: Type.Object(
      { csv: Type.String({ minLength: 1, maxLength: MAX_IMPORT_CHARACTERS, description: "The file's text." }) },
      { $id: "DoNotCallImport" },
    ),
    bodyLimit: 4 * MAX_IMPORT_CHARACTERS,
    idempotent: true,
    replies: {
      200: Type.Object(
        {
          ...Added.properties,
          errorCount: Type.Integer(),
          errors: Type.Array(
            Type.Object({ line: Type.Integer(), code: oneOf(["NUMBER", "NOTE"]), message: Type.String() }),
            { description: "The first 100." },
          ),
        },
        { $id: "DoNotCallImported" },
      ),
    },
    async run({ tx, caller, body: { csv } }) {
      const { entries, errors, errorCount } = readImport(csv);
      return { ...(await addEntries(tx, caller.workspaceId, entries)), errorCount, errors };
    },
  });
}

function removeRoute(db: Executor): Route {
  return route({
    ...common,
    method: "DELETE",
    path: `${PATH}/{number}`,
    access: WRITE,
    summary: "Take a number out of the ledger, with a reason that is audited (extension)",
    description:
      "What the person asked for themselves (STOP_KEYWORD, SPOKEN_REFUSAL) is taken out only with `consent`: how and when they agreed to be contacted again; without it, 409.",
    params: Type.Object({ number: WrittenNumber }),
    query: Type.Object({
      reason: plain(500, "Why it is taken out; kept in the audit log."),
      consent: Type.Optional(plain(500, "How and when the person agreed to be contacted again.", 10)),
    }),
    replies: { 204: null },
    run: ({ caller, params: { number }, query, address }) =>
      db
        .transaction()
        .execute((tx) =>
          removeEntry(tx, caller.workspaceId, toNumber(number), { ...query, actor: actorBehind(caller, address) }),
        ),
  });
}
