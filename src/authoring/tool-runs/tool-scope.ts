import type { ToolFields } from "#src/authoring/tools/tool-fields.ts";
import type { LoadedTool } from "./loaded-tool.ts";

/** Access that an async tool's server needs to answer. */
export interface TaskAccess {
  id: string;
  secret: string;
  callbackUrl: string;
}

/** Values that the templates of one run of a tool may use. */
export interface ToolScope {
  tool: LoadedTool;
  /** Variables of the session. */
  session: Record<string, unknown>;
  parameters: Record<string, unknown>;
  /** Results of earlier steps, by step. */
  results: Record<string, unknown>;
  task: TaskAccess | null;
}

/**
 * Returns the variables of a template. Later sources override earlier ones: session, integrations, parameters, results.
 */
export function toVariables({ tool, session, parameters, results, task }: ToolScope): Record<string, unknown> {
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

/** Returns the settings of the tool's integrations by key, each with the id (never the value) of its credential. */
function toIntegrations({ integrations, integrationCredentialLinks }: ToolFields): Record<string, unknown> {
  const links = new Map((integrationCredentialLinks ?? []).map((link) => [link.integrationKey, link.credentialId]));
  return Object.fromEntries(
    (integrations ?? []).flatMap(({ key, provider, config }) =>
      key ? [[key, { ...config, provider: provider ?? null, credentialId: links.get(key) ?? null }]] : [],
    ),
  );
}
