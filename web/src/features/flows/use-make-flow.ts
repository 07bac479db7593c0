import type { FlowImport, FlowTemplate, JsonObject } from "@parley/sdk";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import type { Flow } from "#web/domain/flow/flow.ts";
import { t } from "#web/i18n/t.ts";
import { useOpenMade } from "#web/ui/use-open-made.ts";

/** Creates flows and opens each new one. */
export function useMakeFlow(): {
  isMaking: boolean;
  /** Creates a flow with only a name. */
  makeBlank: (name: string) => Promise<void>;
  /** Creates a flow from an exported document; shows the references that could not be resolved. */
  makeOf: (document: JsonObject) => Promise<void>;
  /** Creates a flow from a template of the server, by its name. */
  makeFrom: (template: string) => Promise<void>;
} {
  const { id } = useWorkspace();
  const openMade = useOpenMade();
  const create = useWrite<Flow, { name: string }>({
    failed: t`The flow was not made`,
    method: "POST",
    path: "/flows",
    refreshes: ["/flows"],
  });
  const load = useWrite<FlowImport, JsonObject>({
    failed: t`The flow was not made`,
    method: "POST",
    path: "/flows/import",
    refreshes: ["/flows", "/structured-outputs", "/tools"],
  });
  const makeOf = async (document: JsonObject) => {
    const made = await load.mutateAsync(document);
    openMade({ path: `/flows/${made.flow.id}`, done: describe(made) });
    notifyMissing(made);
  };
  return {
    isMaking: create.isPending || load.isPending,
    async makeBlank(name) {
      const made = await create.mutateAsync({ name });
      openMade({ path: `/flows/${made.id}`, done: t`${name} is there. Give it a prompt, and try it at the right.` });
    },
    makeOf,
    async makeFrom(template) {
      const { document } = await send<FlowTemplate>("GET", inWorkspace(id, `/flow-templates/${template}`));
      await makeOf(document);
    },
  };
}

function describe({ flow, tools, structuredOutputs }: FlowImport): string {
  return t`${flow.name ?? ""} is there, with ${tools.length} tools and ${structuredOutputs.length} structured outputs.`;
}

function notifyMissing({ requiredSecrets, unresolved }: FlowImport): void {
  const missing = [
    ...requiredSecrets.map(
      ({ toolName, header }) =>
        t`Set ${header.startsWith("apiBody.") ? header : t`the header ${header}`} of the tool ${toolName}.`,
    ),
    ...unresolved.map(({ path, value }) => t`${path} named ${value}, which this workspace does not have.`),
  ];
  if (missing.length > 0) showFault(new Error(missing.slice(0, 8).join("\n")), t`Left to do by hand`);
}
