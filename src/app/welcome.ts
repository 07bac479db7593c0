import { resolve } from "node:path";

/** Facts of a start that the welcome names. */
export interface Started {
  url: string;
  /** Link that makes the first account; null once there is one. */
  setupUrl: string | null;
  /** True before the first workspace is made. */
  isEmpty: boolean;
  dataDir: string;
}

/** Returns the text for the person who started the server: its addresses, and what to do next. */
export function renderWelcome({ url, setupUrl, isEmpty, dataDir }: Started, ms: number): string {
  return [
    "",
    `  Parley is ready (${(ms / 1000).toFixed(1)} s).`,
    "",
    `  Dashboard  ${url}`,
    ...(setupUrl ? [`             make your account, within 30 minutes: ${setupUrl}`] : []),
    `  Guides     ${url}/docs/guides`,
    `  API        ${url}/api/external/v1`,
    `  Document   ${url}/openapi.json`,
    `  MCP        ${url}/api/mcp`,
    "",
    "  Next, in a second terminal:",
    "",
    ...(isEmpty ? [...exportFolder(dataDir), "    npx parley workspace create --name Demo --sample"] : []),
    "    npx parley call +12025550100 --watch",
    "",
    "  Ctrl-C stops it.",
    "",
    "",
  ].join("\n");
}

/** Returns the line by which another terminal finds a data folder that is not the usual one. */
function exportFolder(dataDir: string): string[] {
  if (resolve(dataDir) === resolve("./data")) return [];
  return [`    export DATA_DIR='${resolve(dataDir).replaceAll("'", String.raw`'\''`)}'`];
}
