import type { FlowsApplied, FlowsToApply, Parley } from "@parley/sdk";
import { ApiError } from "@parley/sdk/errors";
import { CliError, exitCodeOf } from "#src/surfaces/cli/exit-codes.ts";
import type { System } from "#src/surfaces/cli/system.ts";
import {
  type Content,
  type DefinitionFile,
  digestOf,
  FOLDERS,
  type Kind,
  KINDS,
  renderContent,
  saysSame,
} from "./folder.ts";
import { diffLines } from "./line-diff.ts";
import type { Revision } from "./lock.ts";
import { contentOf } from "./pull.ts";
import { fillSecrets } from "./secrets.ts";
import { type Comparison, type Pair, toIds } from "./workspace.ts";

/** Options of a push. */
export interface PushOptions {
  publish?: boolean;
  /** Overwrites what was changed on the server since the latest pull. */
  force?: boolean;
  note?: string;
  acceptUnknownVariables?: boolean;
}

/** Result of a push, or of its dry run, for one file. */
export interface Pushed {
  kind: Kind;
  path: string;
  id: string;
  action: "CREATED" | "CHANGED" | "UNCHANGED";
  /** Names of the fields that changed. */
  fields: string[];
  version: number;
}

type FilePair = Pair & { file: DefinitionFile };

/** A misspelt field in a file would clear the one that was meant. */
const STRICT = { headers: { Prefer: "handling=strict" } };

/** Sends the files of a folder to the server, all or none. A dry run changes nothing, neither there nor in the lock. */
export async function push(
  client: Parley,
  comparison: Comparison,
  env: System["env"],
  { dryRun, force = false, ...options }: PushOptions & { dryRun: boolean },
): Promise<Pushed[]> {
  const sent = sentPairs(comparison);
  const body: FlowsToApply = { dryRun, ...options };
  for (const kind of KINDS) {
    if (sent[kind].length > 0) {
      body[kind] = sent[kind].map((pair) => toItem(comparison, pair, env, force)) as never;
    }
  }
  const applied = await client.flows.apply(body, STRICT).catch((error: unknown) => {
    throw explain(error, sent);
  });
  const results = KINDS.flatMap((kind) => applied[kind].map((one, i) => toPushed(sent[kind][i] as FilePair, one)));
  if (!dryRun) keep(comparison, sent, applied);
  return results;
}

function sentPairs({ pairs }: Comparison): Record<Kind, FilePair[]> {
  const of = (kind: Kind) => pairs.filter((pair): pair is FilePair => pair.kind === kind && pair.file !== undefined);
  return { flows: of("flows"), tools: of("tools"), structuredOutputs: of("structuredOutputs") };
}

function toItem(comparison: Comparison, pair: FilePair, env: System["env"], force: boolean): object {
  const { kind, path, id, file } = pair;
  const content = kind === "tools" ? fillSecrets(path, toIds(comparison, file), env) : toIds(comparison, file);
  // What the server has already, such as in a fresh clone without the lock's entry, overwrites nothing.
  const isSame = pair.server !== undefined && saysSame(contentOf(comparison, pair), file.content);
  const known: Revision | undefined = comparison.lock.find(path, id) ?? (isSame ? pair.server?.revision : undefined);
  const condition = force ? {} : { ifVersion: known?.version ?? 0 };
  if (kind !== "flows") return { ...content, id, ...condition };
  // A new flow has an id only for the stages of others that name it.
  const named = pair.server ? {} : { id };
  return { ...content, ...named, ...condition, ...(!force && known && { ifDraftUpdatedAt: known.draft }) };
}

type AppliedItem = Pick<Pushed, "id" | "action" | "fields" | "version">;

function toPushed({ kind, path }: FilePair, { id, action, fields, version }: AppliedItem): Pushed {
  return { kind, path, id, action, fields, version };
}

/** Notes in the lock what the server has now. */
function keep({ lock }: Comparison, sent: Record<Kind, FilePair[]>, applied: FlowsApplied): void {
  for (const kind of KINDS) {
    for (const [i, one] of applied[kind].entries()) {
      const { path, file } = sent[kind][i] as FilePair;
      const draft = "draftUpdatedAt" in one ? one.draftUpdatedAt : null;
      lock.set(path, one.id, { version: one.version, draft, digest: digestOf(file.content) });
    }
  }
  lock.save();
}

/** Advice of the API's message about variables, whose names are in the faults, with the option of a push. */
const UNKNOWN_VARIABLES =
  "Add what is missing to localVariables, or push with --accept-unknown-variables if rowData brings it.";

/** Names the file of each fault instead of its place in the request. */
function explain(error: unknown, sent: Record<Kind, FilePair[]>): unknown {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return error;
  const nameFile = (text: string) =>
    text.replace(/^(flows|tools|structuredOutputs)\.(\d+)(?:[.:] ?|$)/, (all, kind: Kind, index: string) => {
      const path = sent[kind][Number(index)]?.path;
      return path === undefined ? all : `${path}: `;
    });
  const head = nameFile(error.message);
  const isNamed = head !== error.message;
  const isUnknown = error.code === "UNKNOWN_VARIABLES";
  const details = error.details
    .filter(({ path, message }) => nameFile(path) !== path && !(isNamed && error.message.includes(message)))
    .map(({ path, message }) => {
      const [file, field = ""] = nameFile(path).split(": ", 2);
      // Messages of the API begin with the field, or are about it.
      return message.startsWith(field) ? `${file}: ${message}` : `${file}: ${field}: ${message}`;
    });
  const lines = isNamed && !isUnknown ? [head, ...details] : details;
  if (lines.length === 0) return error;
  if (isUnknown) lines.push(UNKNOWN_VARIABLES);
  if (error.status === 409) lines.push("Pull first, or overwrite what is there with --force.");
  return new CliError(exitCodeOf(error), lines.join("\n"));
}

/** Returns the difference of a file to the server as lines of the unified format; one that is new is added as a whole. */
export function renderDifference(comparison: Comparison, { path, action, fields }: Pushed): string[] {
  const pair = comparison.pairs.find((one) => one.path === path);
  if (action === "UNCHANGED" || !pair?.file) return [];
  const render = (content: Content) =>
    renderContent(path, ordered(content, pair.server ? contentOf(comparison, pair) : {}));
  const before = pair.server ? render(contentOf(comparison, pair)) : "";
  const lines = diffLines(before, render(pair.file.content));
  const shown = lines.length > 0 ? lines : [`# ${fields.join(", ")}: a secret differs`];
  return [`--- ${pair.server ? `server/${path}` : "/dev/null"}`, `+++ ${path}`, ...shown];
}

/** Returns the fields in the order of another definition, so that a different order is no difference. */
function ordered(content: Content, like: Content): Content {
  const names = [...Object.keys(like).filter((name) => name in content), ...Object.keys(content)];
  return Object.fromEntries([...new Set(names)].map((name) => [name, content[name]]));
}

/** Lists the definitions of the server that have no file. */
export function onlyOnServer({ pairs }: Comparison): string[] {
  return pairs.filter(({ file }) => file === undefined).map(({ kind, server }) => `${FOLDERS[kind]}/${server?.title}`);
}
