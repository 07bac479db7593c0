import type { Command } from "commander";
import { findProfile } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { ApiDocument } from "#src/surfaces/cli/postman.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { serverNotRunning } from "#src/surfaces/cli/server-address.ts";

const TIMEOUT_MS = 30_000;

/** Adds `collection`, which prints the API of the server as a Postman collection. */
export function addCollectionCommand(program: Command, run: Run): void {
  program
    .command("collection")
    .description("print the API as a Postman collection, without a key: parley collection > parley.postman.json")
    .action(() => printCollection(run));
}

async function printCollection(run: Run): Promise<void> {
  const { url } = findProfile(run);
  const reply = await fetch(`${url.replace(/\/+$/, "")}/openapi.json`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw serverNotRunning(url);
  });
  const document = reply.ok ? ((await reply.json().catch(() => null)) as Partial<ApiDocument> | null) : null;
  if (!document?.paths) throw new CliError(EXIT.SERVER, `${url} is no Parley server: it has no /openapi.json.`);
  const { toCollection } = await import("#src/surfaces/cli/postman.ts");
  const collection = toCollection(document as ApiDocument, url);
  await run.print(collection, JSON.stringify(collection, null, 2));
}
