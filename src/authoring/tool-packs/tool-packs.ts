import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { lockToolTarget, type ToolTarget } from "#src/authoring/connections/connections.ts";
import { moveToConnection, type ProviderName } from "#src/authoring/connections/providers.ts";
import type { ToolFields } from "#src/authoring/tools/tool-fields.ts";
import { changeTool, createTool, findPackTool, type ToolParts } from "#src/authoring/tools/tools.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";

/** A value that an installation puts into the tools of a pack, as the constant of that name. */
export interface PackSetting {
  name: string;
  title: string;
  description: string;
  required?: boolean;
  default?: string;
}

/** A document with tools for one provider. */
export interface PackDocument {
  format: string;
  formatVersion: number;
  title: string;
  description: string;
  provider: ProviderName;
  settings: PackSetting[];
  tools: (ToolFields & { name: string; description: string })[];
}

/** A pack by the name of its file. */
export interface ToolPack {
  name: string;
  document: PackDocument;
}

const FOLDER = new URL("../../../tool-packs/", import.meta.url);
const ENDING = ".yaml";

let known: ToolPack[] | undefined;

/** Returns all packs by title; their files are read at the first request. */
export function listPacks(): ToolPack[] {
  known ??= readdirSync(FOLDER)
    .map((file) => ({
      name: file.slice(0, -ENDING.length),
      document: parse(readFileSync(new URL(file, FOLDER), "utf8")) as PackDocument,
    }))
    .toSorted((a, b) => a.document.title.localeCompare(b.document.title, "en"));
  return known;
}

/** Returns the pack with a requested name; 404 when there is none. */
export function findPack(name: string): ToolPack {
  const pack = listPacks().find((one) => one.name === name);
  if (!pack) throw new AppError("NOT_FOUND", "There is no such tool pack. GET /tool-packs lists them.");
  return pack;
}

/** Target of an installation: a connection of its provider, and values for its settings. */
export interface Installation {
  connectionId: string;
  settings: Record<string, string>;
}

/** A tool that an installation made, or brought up to date. */
export interface InstalledTool {
  id: string;
  name: string;
  isNew: boolean;
}

/**
 * Makes a pack's tools for a connection. A tool that an earlier installation made keeps its id and what was added to
 * it. The tools are ordinary ones: they can be changed and deleted.
 */
export async function installPack(
  tx: Executor,
  parts: ToolParts,
  workspaceId: string,
  { name, document }: ToolPack,
  { connectionId, settings }: Installation,
): Promise<InstalledTool[]> {
  const target = await lockToolTarget(tx, workspaceId, connectionId);
  if (!target) throw missing(`Connection ${connectionId}`);
  if (target.provider !== document.provider) {
    throw fieldError("connectionId", "PROVIDER", `is not of ${document.provider}, for which this pack is.`);
  }
  if (target.origins.length === 0) {
    throw new AppError("CONFLICT", "Sign in to the connection first: the address of its server comes with that.");
  }
  const values = readSettings(document.settings, settings);
  const installed: InstalledTool[] = [];
  for (const tool of document.tools) {
    const key = `${name}/${tool.name}`;
    const body = {
      ...fitTool(tool, target, values),
      connectionId,
      sourceBuiltinToolKey: key,
      groupName: document.title,
    };
    const id = await findPackTool(tx, workspaceId, tool.name, key);
    const made = id
      ? await changeTool(tx, parts, workspaceId, id, { body, origin: null })
      : await createTool(tx, parts, workspaceId, body, null);
    installed.push({ id: made.id, name: tool.name, isNew: id === undefined });
  }
  return installed;
}

function readSettings(settings: PackSetting[], given: Record<string, string>): Map<string, string> {
  const unknown = Object.keys(given).find((name) => !settings.some((setting) => setting.name === name));
  if (unknown !== undefined) throw fieldError(`settings.${unknown}`, "UNKNOWN", "is no setting of this pack.");
  return new Map(
    settings.map(({ name, default: usual, required }) => {
      const value = given[name]?.trim() || usual;
      if (value === undefined && required) throw fieldError(`settings.${name}`, "REQUIRED", "is required.");
      return [name, value ?? ""];
    }),
  );
}

function fitTool(tool: ToolFields, { row }: ToolTarget, values: Map<string, string>): ToolFields {
  const parameters = (tool.parameters ?? []).map((parameter) => {
    const value = parameter.source === "CONSTANT" ? values.get(parameter.name) : undefined;
    return value === undefined ? parameter : { ...parameter, defaultValue: readValue(parameter, value) };
  });
  return { ...tool, parameters, apiUrl: tool.apiUrl ? moveToConnection(row, tool.apiUrl) : null };
}

function readValue({ name, type }: { name: string; type: string }, value: string): string | number {
  if (value.includes("{{")) throw fieldError(`settings.${name}`, "TEMPLATE", "cannot hold a template.");
  if (type !== "integer") return value;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw fieldError(`settings.${name}`, "TYPE", "is not a whole number.");
}
