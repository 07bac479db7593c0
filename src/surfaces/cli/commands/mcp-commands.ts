import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { requireKey } from "#src/surfaces/cli/api-session.ts";
import { JSON_FORM, type Json, type SettingsForm, TOML_FORM } from "#src/surfaces/cli/assistant-settings.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import type { System } from "#src/surfaces/cli/system.ts";

/** An MCP client: its settings file, the member that lists servers, and the form of an entry. */
interface McpClient {
  file: (env: System["env"]) => string;
  member: "mcpServers" | "mcp_servers" | "servers";
  entry: (url: string, headers: Record<string, string>) => Json;
  /** Language of the file; JSON unless given. */
  form?: SettingsForm;
  /** True when the file belongs to a project, so that it may end up in version control. */
  shared?: boolean;
}

const CLIENTS: Record<string, McpClient> = {
  "claude-code": {
    file: () => ".mcp.json",
    member: "mcpServers",
    entry: (url, headers) => ({ type: "http", url, headers }),
    shared: true,
  },
  // Starts local programs only, so a bridge translates to HTTP.
  "claude-desktop": {
    file: (env) => join(appDataOf(env), "Claude", "claude_desktop_config.json"),
    member: "mcpServers",
    entry: (url, headers) => ({
      command: "npx",
      args: ["-y", "mcp-remote", url, "--header", "X-API-Key:${PARLEY_API_KEY}"],
      env: { PARLEY_API_KEY: headers["X-API-Key"] },
    }),
  },
  codex: {
    file: (env) => join(env.CODEX_HOME || join(homeOf(env), ".codex"), "config.toml"),
    member: "mcp_servers",
    entry: (url, headers) => ({ url, http_headers: headers }),
    form: TOML_FORM,
  },
  cursor: {
    file: (env) => join(homeOf(env), ".cursor", "mcp.json"),
    member: "mcpServers",
    entry: (url, headers) => ({ url, headers }),
  },
  gemini: {
    file: (env) => join(homeOf(env), ".gemini", "settings.json"),
    member: "mcpServers",
    entry: (url, headers) => ({ httpUrl: url, headers }),
  },
  vscode: {
    file: () => join(".vscode", "mcp.json"),
    member: "servers",
    entry: (url, headers) => ({ type: "http", url, headers }),
    shared: true,
  },
};

interface InstallOptions {
  client?: string;
  write?: true;
  file?: string;
  name: string;
  toolsets?: string;
}

/** Adds `mcp install`. */
export function addMcpCommands(program: Command, run: Run): void {
  const mcp = program.command("mcp").description("use Parley from an AI assistant");
  mcp
    .command("install")
    .description("print what connects an assistant to this workspace, or write it into its settings")
    .addOption(new Option("--client <client>", "the assistant; needed").choices(Object.keys(CLIENTS)))
    .option("--write", "add it to the assistant's settings, beside what is there")
    .option("--file <path>", "settings file; default: the assistant's own")
    .option("--name <name>", "what the assistant calls the server", "parley")
    .option("--toolsets <names>", "tools that it lists, such as default,contacts; all of them: all")
    .action((options: InstallOptions) => install(run, options));
}

async function install(run: Run, { client, write, file, name, toolsets }: InstallOptions): Promise<void> {
  const chosen = CLIENTS[client ?? ""];
  if (!chosen) throw new CliError(EXIT.USAGE, `--client is needed: one of ${Object.keys(CLIENTS).join(", ")}.`);
  const { member, entry, form = JSON_FORM, shared, file: fileOf } = chosen;
  const { url, apiKey, source } = requireKey(run);
  const path = resolve(file ?? fileOf(run.system.env));
  const query = toolsets === undefined ? "" : `?${new URLSearchParams({ toolsets }).toString()}`;
  const server = entry(`${url.replace(/\/+$/, "")}/api/mcp${query}`, { "X-API-Key": apiKey });
  if (!write) {
    await run.print({ [member]: { [name]: server } }, form.render({ member, name, server }));
    run.hint(
      `Belongs into ${path}; --write puts it there. The key is from ${source}, and the assistant may do what this key may.`,
    );
    return;
  }
  const settings = form.add(readSettings(path), { member, name, server });
  if (settings === null) {
    throw new CliError(EXIT.ERROR, `${path} ${form.refusal}. Leave out --write and paste what is printed.`);
  }
  writeSettings(path, settings);
  await run.print({ client, file: path, name, written: true }, `Added ${name} to ${path}.`);
  if (shared) run.warn(`${path} now holds your API key: keep it out of version control.`);
  run.hint(
    `The key is from ${source}, and the assistant may do what this key may. Restart the assistant to see the tools.`,
  );
}

/** Returns the text of the existing settings; empty when there are none. */
function readSettings(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "";
    throw new CliError(EXIT.ERROR, `Cannot read ${path}: ${(error as Error).message}`);
  }
}

/**
 * Writes the settings to a draft and moves it into place. A new file is readable by its owner only, because it holds
 * the key.
 */
function writeSettings(path: string, settings: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, settings, { mode: modeOf(path), flag: "wx" });
  renameSync(draft, path);
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
}

function homeOf(env: System["env"]): string {
  return env.HOME || homedir();
}

function appDataOf(env: System["env"]): string {
  if (process.platform === "darwin") return join(homeOf(env), "Library", "Application Support");
  if (process.platform === "win32") return env.APPDATA || join(homeOf(env), "AppData", "Roaming");
  return env.XDG_CONFIG_HOME || join(homeOf(env), ".config");
}
