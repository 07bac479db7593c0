import { type FlowFields, getFlow } from "#src/authoring/flows/flows.ts";
import type { SessionPlan } from "#src/engine/conversation/plan.ts";
import { renderTexts } from "#src/engine/conversation/prompt.ts";
import { toPrompt } from "#src/engine/models/hosted/to-prompt.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { nullable, oneOf, type Static, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { findPersonZones } from "#src/tenancy/compliance/person-zones.ts";
import { inlineFlows } from "./inline-flows.ts";
import { loadOutputs, toCallVariables, toChatVariables, toSpokenFlow } from "./session-plan.ts";
import { type GrantParts, loadFlowGrants } from "./sessions.ts";

const NOBODY = { phone: null, name: null, email: null };

/** The texts of a flow as a model gets them. */
const FlowPrompt = Type.Object(
  {
    channel: oneOf(["VOICE", "CHAT"]),
    system: Type.String({
      description:
        "The system prompt of a session that began now: the flow's instructions, the rules of every conversation, and what is known.",
    }),
    firstMessage: Type.String({ description: "What the agent says first; empty when the model opens." }),
    error: nullable(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: "A template that cannot be rendered." },
      ),
    ),
  },
  { $id: "FlowPrompt" },
);

/** Dependencies of the prompt: tools are read, and no MCP server is asked. */
export type PromptParts = Omit<GrantParts, "mcp">;

/** The prompt of a flow, word by word; an extension. */
export function flowPromptRoutes({ db }: Database, parts: PromptParts): Route[] {
  return [
    route({
      audience: "external",
      tag: "Flows",
      method: "GET",
      path: "/api/external/v1/flows/{flowId}/prompt",
      access: ["FLOWS_READ"],
      summary: "Read the system prompt that a flow's sessions give to their model (extension)",
      description:
        "Rendered with the defaults of the flow's variables, without a contact, by the clock of the workspace's time zone. In a flow with stages, the prompt of the current stage is added to it.",
      params: Type.Object({ flowId: Uuid }),
      query: Type.Object({ channel: Type.Optional(oneOf(["VOICE", "CHAT"], "Default VOICE.")) }),
      replies: { 200: FlowPrompt },
      run: ({ caller, params: { flowId }, query: { channel = "VOICE" } }) =>
        renderPrompt(db, parts, { workspaceId: caller.workspaceId, flowId, channel }),
    }),
  ];
}

async function renderPrompt(
  db: Executor,
  parts: PromptParts,
  { workspaceId, flowId, channel }: { workspaceId: string; flowId: string; channel: SessionPlan["channel"] },
): Promise<Static<typeof FlowPrompt>> {
  const stored = (await getFlow(db, workspaceId, flowId)) as Partial<FlowFields>;
  const fields = await inlineFlows(db, workspaceId, stored);
  const grantParts: GrantParts = { ...parts, mcp: { inputSchema: async () => null } };
  const { grants } = await loadFlowGrants(db, grantParts, workspaceId, { flowId, channel }, fields);
  const [timeZone] = await findPersonZones(db, [{ workspaceId, timeZone: null, phone: null }]);
  const outputs = grants.stages ? [] : await loadOutputs(db, workspaceId, fields);
  const plan: SessionPlan = {
    sessionId: flowId,
    channel,
    flow: toSpokenFlow(fields),
    variables:
      channel === "VOICE"
        ? toCallVariables(fields, NOBODY, null)
        : toChatVariables(fields, { ...NOBODY, identifier: null }),
    memory: {},
    outputs,
    grants,
    ...(timeZone ? { timeZone } : {}),
  };
  const { system, examples, firstMessage, error } = renderTexts(plan, now());
  const instructions = examples.filter(({ role }) => role === "SYSTEM");
  const [first] = toPrompt([system, ...instructions], outputs, plan.flow.language, true);
  return { channel, system: first?.role === "system" ? first.content : system.content, firstMessage, error };
}
