import { showExactly } from "#web/api/exact-json.ts";

/** A request of the external API, shown in each way to make it. */
export interface ApiCall {
  method: string;
  /** Below /api/external/v1. */
  path: string;
  body?: unknown;
  /** The same as a command, without `parley`. */
  command?: string;
  /** The same with the SDK, such as `client.calls.get("…")`. */
  sdk?: string;
}

/** Returns the request as curl, CLI and SDK; `key` is a placeholder or a real key. */
export function snippetsOf(call: ApiCall, origin: string, key = "$PARLEY_API_KEY"): { name: string; text: string }[] {
  const snippets = [{ name: "curl", text: toCurl(call, origin, key) }];
  if (call.command !== undefined) snippets.push({ name: "CLI", text: toCommand(call.command, origin, key) });
  if (call.sdk !== undefined) snippets.push({ name: "TypeScript", text: toTypeScript(call.sdk, origin, key) });
  return snippets;
}

function toCurl({ method, path, body }: ApiCall, origin: string, key: string): string {
  const lines = [`curl ${method === "GET" ? "" : `-X ${method} `}${quote(`${origin}/api/external/v1${path}`)}`];
  lines.push(`  -H ${key.startsWith("$") ? `"X-API-Key: ${key}"` : quote(`X-API-Key: ${key}`)}`);
  if (body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'", `  -d ${quote(showExactly(body))}`);
  }
  return lines.join(" \\\n");
}

/** Adds the server's address to a command with a real key. */
function toCommand(command: string, origin: string, key: string): string {
  const setting = key.startsWith("$") ? "" : `export PARLEY_URL=${quote(origin)} PARLEY_API_KEY=${quote(key)}\n`;
  return `${setting}npx parley ${command}`;
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function toTypeScript(sdk: string, origin: string, key: string): string {
  const apiKey = key.startsWith("$") ? `process.env.${key.slice(1)}` : JSON.stringify(key);
  return [
    'import { Parley } from "@parley/sdk";',
    "",
    `const client = new Parley({ baseUrl: ${JSON.stringify(origin)}, apiKey: ${apiKey} });`,
    `const result = await ${sdk};`,
  ].join("\n");
}
