import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { toError } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import { collectPairs, parseJsonObject } from "./option-parsers.ts";
import type { Run } from "./run.ts";

/** Options by which a command gets secrets. */
export interface SecretOptions {
  secret?: Record<string, string>;
  secretsStdin?: true;
  ask?: string[];
}

/** Adds the options --secret and --secrets-stdin. */
export function addSecretOptions(command: Command): Command {
  return command
    .option("--secret <name=@file>", "take a secret, such as a PEM key, from a file", collectPairs)
    .option("--secrets-stdin", "read the secrets as one JSON object from standard input");
}

/** Returns the secrets that the options name, by their names; those of `ask` are asked for. */
export async function readSecrets(
  run: Run,
  { secret, secretsStdin, ask }: SecretOptions,
): Promise<Record<string, string>> {
  const files = Object.entries(secret ?? {}).map(([name, source]) => [name, readSecretFile(name, source)] as const);
  const secrets = { ...(secretsStdin ? await readPiped(run) : {}), ...Object.fromEntries(files) };
  for (const name of ask ?? []) secrets[name] ??= await askSecret(run, name, name);
  return secrets;
}

async function readPiped(run: Run): Promise<Record<string, string>> {
  const lines: string[] = [];
  for await (const line of run.system.readLines("")) lines.push(line);
  let secrets: Record<string, unknown>;
  try {
    secrets = parseJsonObject(lines.join("\n"));
  } catch {
    // The parser's message would show part of the secrets.
    throw new CliError(EXIT.USAGE, "Standard input is not a JSON object of secrets.");
  }
  if (Object.values(secrets).every((value) => typeof value === "string")) return secrets as Record<string, string>;
  throw new CliError(EXIT.USAGE, "Each secret on standard input is a text.");
}

/**
 * Reads a secret from a file. Other users can see command lines, and shells keep them in histories, so the secret
 * itself must not be an argument.
 */
function readSecretFile(name: string, source: string): string {
  if (!source.startsWith("@"))
    throw new CliError(EXIT.USAGE, `--secret is ${name}=@file: a secret does not belong on a command line.`);
  try {
    return readFileSync(source.slice(1), "utf8").trimEnd();
  } catch (error) {
    throw new CliError(EXIT.USAGE, `The secret cannot be read: ${toError(error).message}`);
  }
}

/** Asks for a secret without showing it. Where nobody can be asked, throws an error that names the options instead. */
export async function askSecret(run: Run, name: string, label: string): Promise<string> {
  if (!run.system.canAsk) {
    const how = `--secret ${name}=@file, or --secrets-stdin`;
    throw new CliError(EXIT.USAGE, `${name} is missing (${label}). Give it on a terminal, with ${how}.`);
  }
  const typed = (await run.system.askSecret(`${label} (not shown; @file reads a file): `)).trim();
  return typed.startsWith("@") ? readSecretFile(name, typed) : typed;
}
