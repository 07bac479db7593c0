import { t } from "#web/i18n/t.ts";

const KEY = "YOUR_API_KEY";

/** Configuration of each assistant's MCP connection, and the place where it belongs. */
export function mcpClients(origin: string): { name: string; where: string; text: string }[] {
  const url = `${origin}/api/mcp`;
  const headers = { "X-API-Key": KEY };
  const bridge = {
    command: "npx",
    args: ["-y", "mcp-remote", url, "--header", "X-API-Key:${PARLEY_API_KEY}"],
    env: { PARLEY_API_KEY: KEY },
  };
  return [
    {
      name: "Claude Code",
      where: t`In a terminal:`,
      text: `claude mcp add --transport http parley ${url} --header "X-API-Key: ${KEY}"`,
    },
    {
      name: "Claude Desktop",
      where: t`In claude_desktop_config.json:`,
      text: toText({ mcpServers: { parley: bridge } }),
    },
    { name: "Cursor", where: t`In ~/.cursor/mcp.json:`, text: toText({ mcpServers: { parley: { url, headers } } }) },
    {
      name: "Codex",
      where: t`In ~/.codex/config.toml:`,
      text: `[mcp_servers.parley]\nurl = "${url}"\nhttp_headers = { "X-API-Key" = "${KEY}" }`,
    },
    {
      name: "Gemini CLI",
      where: t`In ~/.gemini/settings.json:`,
      text: toText({ mcpServers: { parley: { httpUrl: url, headers } } }),
    },
    {
      name: "VS Code",
      where: t`In .vscode/mcp.json:`,
      text: toText({ servers: { parley: { type: "http", url, headers } } }),
    },
    {
      name: t`Others`,
      where: t`Streamable HTTP, with this header:`,
      text: `${url}
X-API-Key: ${KEY}`,
    },
  ];
}

function toText(settings: object): string {
  return JSON.stringify(settings, null, 2);
}
