import { readFile } from "node:fs/promises";
import type { Connection, ConnectionChange, ConnectionProvider, CustomProvider, Parley } from "@parley/sdk";
import type { Command } from "commander";
import { toError } from "#src/platform/kernel/errors.ts";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { parseJsonObject, parseList } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { addSecretOptions, askSecret, readSecrets, type SecretOptions } from "#src/surfaces/cli/secret-input.ts";
import { renderFields, renderTable, show } from "#src/surfaces/cli/table.ts";

type Provider = ConnectionProvider["provider"];

const SECRETS = ["apiKey", "clientSecret"];

interface ChangeOptions extends SecretOptions {
  name?: string;
  clientId?: string;
  scopes?: string[];
  baseUrl?: string;
  custom?: string;
}

/** Adds `connection list|providers|create|show|update|delete` for a workspace's access to providers. */
export function addConnectionCommands(program: Command, run: Run): void {
  const connection = program.command("connection").description("access to providers for tools, by OAuth or a key");
  connection
    .command("list")
    .description("list connections and whether they work, without their secrets")
    .action(() => listConnections(run));
  connection
    .command("providers")
    .description("list the providers, and the redirect URI to register at them")
    .action(() => listProviders(run));
  connection
    .command("show <id>")
    .description("show a connection")
    .action(async (id: string) => printConnection(run, await (await openApi(run)).client.connections.get(id)));
  addSharedOptions(connection.command("create <provider>"))
    .description("make a connection: with --client-id one to sign in to, else one with a key, which is asked for")
    .action((provider: string, options: ChangeOptions) => createConnection(run, provider, options));
  addSharedOptions(connection.command("update <id>"))
    .description("change what is given, leave the rest; another address or client id ends the sign-in")
    .option("--ask <list>", "secrets to ask for: apiKey, clientSecret", parseList)
    .action((id: string, options: ChangeOptions) => updateConnection(run, id, options));
  connection
    .command("delete <id>")
    .description("delete a connection and revoke its tokens; tools that name it fail from then on")
    .action((id: string) => deleteConnection(run, id));
}

function addSharedOptions(command: Command): Command {
  return addSecretOptions(
    command
      .option("--name <text>", "what you call it")
      .option("--client-id <id>", "of your OAuth app at the provider")
      .option("--scopes <list>", "asked for at the sign-in; default: what the tool packs need", parseList)
      .option("--base-url <url>", "origin of a server of your own, instead of the provider's")
      .option("--custom <file.json>", "addresses and header of a provider of kind CUSTOM"),
  );
}

async function createConnection(run: Run, name: string, options: ChangeOptions): Promise<void> {
  const { client } = await openApi(run);
  const method = options.clientId === undefined ? "API_KEY" : "OAUTH";
  const provider = await findProvider(client, name, method);
  const body = await readInput(run, options);
  if (method === "API_KEY") body.apiKey ??= await askSecret(run, "apiKey", "API key");
  else if (run.system.canAsk) body.clientSecret ??= (await askSecret(run, "clientSecret", "Client secret")) || null;
  const made = await client.connections.create({ ...body, name: options.name ?? name, provider, method });
  await printConnection(run, made);
}

/** Finds a provider that can be connected in this way, before anybody is asked for a secret. */
async function findProvider(client: Parley, name: string, method: Connection["method"]): Promise<Provider> {
  const wanted = name.toUpperCase().replaceAll("-", "_");
  const all = await client.connections.providers();
  const found = all.find(({ provider }) => provider === wanted);
  if (!found) {
    const names = all.map(({ provider }) => provider.toLowerCase().replaceAll("_", "-"));
    throw new CliError(EXIT.USAGE, `There is no provider ${name}. There are ${names.join(", ")}.`);
  }
  if (found.methods.includes(method)) return found.provider;
  throw new CliError(EXIT.USAGE, `${found.title} takes no key. Give the --client-id of an OAuth app there.`);
}

async function updateConnection(run: Run, id: string, options: ChangeOptions): Promise<void> {
  const { client } = await openApi(run);
  await printConnection(run, await client.connections.update(id, await readInput(run, options)));
}

async function readInput(run: Run, options: ChangeOptions): Promise<ConnectionChange> {
  const { name, clientId, scopes, baseUrl, custom } = options;
  const secrets = await readSecrets(run, options);
  const unknown = Object.keys(secrets).find((secret) => !SECRETS.includes(secret));
  if (unknown !== undefined) {
    throw new CliError(EXIT.USAGE, `A connection has no secret ${unknown}. There are ${SECRETS.join(" and ")}.`);
  }
  return {
    ...secrets,
    ...(name !== undefined && { name }),
    ...(clientId !== undefined && { clientId }),
    ...(scopes !== undefined && { scopes }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(custom !== undefined && { custom: await readCustom(custom) }),
  };
}

async function readCustom(file: string): Promise<CustomProvider> {
  try {
    return parseJsonObject(await readFile(file, "utf8")) as unknown as CustomProvider;
  } catch (error) {
    throw new CliError(EXIT.USAGE, `${file} cannot be read: ${toError(error).message}`);
  }
}

async function deleteConnection(run: Run, id: string): Promise<void> {
  const removal = await (await openApi(run)).client.connections.delete(id);
  await run.print({ id, ...removal }, `Deleted ${id}.`);
  if (removal.revoked === false) run.warn("The provider did not revoke its tokens: revoke them there.");
}

async function printConnection(run: Run, connection: Connection): Promise<void> {
  await run.print(connection, renderFields(connection));
  if (connection.state === "NOT_CONNECTED") run.hint("Sign in: open Connections in the dashboard, and press Sign in.");
  if (connection.state === "NEEDS_SIGN_IN")
    run.warn(`It needs a new sign-in: ${connection.failure ?? "no reason known"}`);
}

async function listConnections(run: Run): Promise<void> {
  const found = await (await openApi(run)).client.connections.list();
  const rows = found.map(({ id, provider, method, state, name, failure }) =>
    [id, provider, method, state, name, failure].map(show),
  );
  await run.print(found, renderTable(["ID", "PROVIDER", "METHOD", "STATE", "NAME", "FAILURE"], rows));
  if (rows.length === 0) run.hint("None yet. See what there is: parley connection providers");
}

async function listProviders(run: Run): Promise<void> {
  const found = await (await openApi(run)).client.connections.providers();
  const rows = found.map(({ provider, title, methods }) => [provider, title, methods.join(", ")]);
  await run.print(found, renderTable(["PROVIDER", "TITLE", "METHODS"], rows));
  if (found[0]) run.hint(`Redirect URI of your OAuth app: ${found[0].redirectUri}`);
}
