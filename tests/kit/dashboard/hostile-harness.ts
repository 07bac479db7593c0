import type { Tab } from "../console-harness.ts";
import type { World } from "../world.ts";

/** A name that asks another host, changes the page and turns text around, where it is taken for more than text. */
export const HOSTILE = `"><img src="//evil.example/x" onerror="document.title='evil'"><b class=evil>\u202Eمرحبا</b>`;

/** Everything that can bear a name bears the hostile one; gives the screens of single things. */
export async function fillWithHostile(world: World, owner: Tab): Promise<string[]> {
  const workspace = `/workspaces/${world.sample.workspaceId}`;
  const make = async (path: string, body: object): Promise<string> => {
    const reply = await world.request("POST", path, { body });
    if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.text}`);
    return String(reply.body.id);
  };
  const name = HOSTILE;
  const startAt = new Date(Date.now() + 86_400_000).toISOString();
  const rows = [{ customerNumber: "+12025550100", contactName: name, externalId: name, rowData: { company: name } }];
  const flow = await make("/flows", { name, description: name, agentPrompt: `${name} {{ company }}` });
  const output = await make("/structured-outputs", {
    name,
    description: name,
    schema: { type: "object", title: name, properties: { [name]: { type: "string", description: name } } },
  });
  const api = { toolType: "API", apiMethod: "GET", apiUrl: `http://127.0.0.1:9/?q=${encodeURI(name)}` };
  const tool = await make("/tools", { name: "hostile", description: name, ...api });
  const agent = await make("/agents", { name, description: name });
  await make(`/agents/${agent}/knowledge-base/items`, { title: name, type: "TEXT", content: name, tags: [name] });
  const app = await make("/applications", { name });
  await make(`/applications/${app}/customers`, { name });
  const job = await make("/call-jobs", { name, rows, startAt });
  const transcription = await make("/transcriptions/jobs", { name });
  const automation = await make("/automations", { name, kind: "EXPORT", export: { format: "CSV" } });
  await make("/session-webhooks", { url: `http://127.0.0.1:9/${encodeURIComponent(name)}`, description: name });
  await make("/outbound/chats", { channel: "CHAT", contactName: name, initialMessage: name });
  const call = await world.call("+12025550100", {
    contactName: name,
    rowData: { company: name, formula: "=cmd|calc!A1" },
    contextData: { html: name },
  });
  const key = await owner.ask("POST", `${workspace}/credentials/keys`, { name, permissions: ["BALANCE_READ"] });
  const profile = await owner.ask("PATCH", "/profile", { name });
  const renamed = await owner.ask("PATCH", workspace, { name });
  for (const reply of [key, profile, renamed]) if (reply.status >= 300) throw new Error(reply.text);
  const single = { flows: flow, outputs: output, tools: tool, agents: agent, data: app, jobs: job, calls: call.id };
  return [
    ...Object.entries(single).map(([room, id]) => `/${room}/${String(id)}`),
    `/data/${app}/customers`,
    `/transcriptions/${transcription}`,
    `/automations/${automation}`,
  ];
}
