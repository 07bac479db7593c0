import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

function prepare(system: FakeSystem): void {
  Object.assign(system.env, { HOME: system.folder, PARLEY_URL: "http://127.0.0.1:9/", PARLEY_API_KEY: "svc_live_k" });
}

test.each([
  ["claude-code", { mcpServers: { parley: { type: "http" } } }],
  ["claude-desktop", { mcpServers: { parley: { command: "npx", env: { PARLEY_API_KEY: "svc_live_k" } } } }],
  ["cursor", { mcpServers: { parley: { headers: { "X-API-Key": "svc_live_k" } } } }],
  ["gemini", { mcpServers: { parley: { httpUrl: "http://127.0.0.1:9/api/mcp" } } }],
  ["vscode", { servers: { parley: { type: "http", headers: { "X-API-Key": "svc_live_k" } } } }],
])("prints what %s takes, with address and key", async (client, expected) => {
  await using system = new FakeSystem();
  prepare(system);
  expect(await system.run("mcp", "install", "--client", client)).toBe(0);
  expect(JSON.parse(system.out)).toMatchObject(expected);
  expect(system.out).toContain("http://127.0.0.1:9/api/mcp");
});

test("without --client, the assistants are named", async () => {
  await using system = new FakeSystem();
  prepare(system);
  expect(await system.run("mcp", "install")).toBe(2);
  expect(system.err).toContain("--client is needed: one of claude-code, claude-desktop, codex");
});

test("--toolsets chooses the tools that are listed", async () => {
  await using system = new FakeSystem();
  prepare(system);
  expect(await system.run("mcp", "install", "--client", "cursor", "--toolsets", "default,contacts")).toBe(0);
  const { mcpServers } = JSON.parse(system.out) as { mcpServers: { parley: { url: string } } };
  expect(new URL(mcpServers.parley.url).searchParams.get("toolsets")).toBe("default,contacts");
});

test("--write adds to the settings and keeps what is there; a new file is its owner's alone", async () => {
  await using system = new FakeSystem();
  prepare(system);
  const file = join(system.folder, ".cursor", "mcp.json");
  expect(await system.run("mcp", "install", "--client", "cursor", "--write")).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const other = { theme: "dark", mcpServers: { other: { url: "http://x" } } };
  writeFileSync(file, JSON.stringify(other));
  expect(await system.run("mcp", "install", "--client", "cursor", "--write", "--name", "calls")).toBe(0);
  const written = JSON.parse(readFileSync(file, "utf8")) as { theme: string; mcpServers: object };
  expect([written.theme, Object.keys(written.mcpServers)]).toEqual(["dark", ["other", "calls"]]);
});

test("a settings file that is not plain JSON is left as it is", async () => {
  await using system = new FakeSystem();
  prepare(system);
  const file = join(system.folder, "mcp.json");
  writeFileSync(file, "// mine\n{}");
  expect(await system.run("mcp", "install", "--client", "vscode", "--write", "--file", file)).toBe(1);
  expect(readFileSync(file, "utf8")).toBe("// mine\n{}");
});

const CODEX = `[mcp_servers.parley]
url = "http://127.0.0.1:9/api/mcp"
http_headers = { X-API-Key = "svc_live_k" }
`;

test("codex gets a table of TOML, after what is there; a new file is its owner's alone", async () => {
  await using system = new FakeSystem();
  prepare(system);
  expect(await system.run("mcp", "install", "--client", "codex")).toBe(0);
  expect(system.out).toBe(CODEX);
  const file = join(system.folder, ".codex", "config.toml");
  expect(await system.run("mcp", "install", "--client", "codex", "--write")).toBe(0);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([CODEX, 0o600]);
  const mine = '# mine\nmodel = "m" # not [mcp-servers]\n\n[mcp_servers."docs of us".env]\nA = "1"';
  writeFileSync(file, mine);
  expect(await system.run("mcp", "install", "--client", "codex", "--write")).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(`${mine}\n\n${CODEX}`);
});

test.each([
  ["[mcp_servers.parley]", 'url = "http://x"'],
  ["[ mcp_servers . 'parley' ] # mine", 'url = "http://x"'],
  ["[mcp_servers.parley.env]", 'A = "1"'],
  ["[mcp_servers]", 'parley = { url = "http://x" }'],
  ['mcp_servers.parley.url = "http://x"'],
  ["mcp_servers = {}"],
  ['["mcp_servers".parley]'],
])("codex's settings with %s are left as they are", async (...lines) => {
  await using system = new FakeSystem();
  prepare(system);
  system.env.CODEX_HOME = system.folder;
  const file = join(system.folder, "config.toml");
  writeFileSync(file, lines.join("\n"));
  expect(await system.run("mcp", "install", "--client", "codex", "--write")).toBe(1);
  expect(readFileSync(file, "utf8")).toBe(lines.join("\n"));
  expect(system.err).toContain("paste what is printed");
});

test("without a key it ends with 3, for an unknown client with 2", async () => {
  await using system = new FakeSystem();
  expect(await system.run("mcp", "install", "--client", "cursor")).toBe(3);
  expect(await system.run("mcp", "install", "--client", "emacs")).toBe(2);
  expect(await system.run("mcp", "install")).toBe(2);
});
