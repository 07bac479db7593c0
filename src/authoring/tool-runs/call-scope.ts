import type { ToolFields } from "#src/authoring/tools/tool-fields.ts";
import type { LoadedTool } from "./loaded-tool.ts";

/** What an async tool's server needs to answer. */
export interface TaskAccess {
  id: string;
  secret: string;
  callbackUrl: string;
}

/** What the templates of one call may use. */
export interface CallScope {
  tool: LoadedTool;
  /** Variables of the session. */
  session: Record<string, unknown>;
  parameters: Record<string, unknown>;
  /** Results of earlier steps, by step. */
  results: Record<string, unknown>;
  task: TaskAccess | null;
}

/** The variables of a template: session, integrations, parameters and results, the later before the earlier. */
export function toVariables({ tool, session, parameters, results, task }: CallScope): Record<string, unknown> {
  const access = task && { toolTaskId: task.id, toolTaskSecret: task.secret, callbackUrl: task.callbackUrl };
  return {
    ...session,
    integrations: toIntegrations(tool.definition),
    ...parameters,
    ...results,
    parameters,
    results,
    ...access,
  };
}

/** Settings of the tool's integrations by key, each with the id (never the value) of the credential it uses. */
function toIntegrations({ integrations, integrationCredentialLinks }: ToolFields): Record<string, unknown> {
  const links = new Map((integrationCredentialLinks ?? []).map((link) => [link.integrationKey, link.credentialId]));
  return Object.fromEntries(
    (integrations ?? []).flatMap(({ key, provider, config }) =>
      key ? [[key, { ...config, provider: provider ?? null, credentialId: links.get(key) ?? null }]] : [],
    ),
  );
}
