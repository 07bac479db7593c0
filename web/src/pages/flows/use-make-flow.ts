import type { FlowImport, JsonObject } from "@parley/sdk";
import { useLocation } from "wouter";
import { useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import type { Flow } from "#web/pages/flow/flow.ts";

/** Makes flows, and opens what was made. */
export function useMakeFlow(): {
  isMaking: boolean;
  /** With a name alone. */
  makeBlank: (name: string) => Promise<void>;
  /** Of an exported document; what it could not resolve is told. */
  makeOf: (document: JsonObject) => Promise<void>;
} {
  const [, navigate] = useLocation();
  const create = useWrite<Flow, { name: string }>({ method: "POST", path: "/flows", refreshes: ["/flows"] });
  const load = useWrite<FlowImport, JsonObject>({
    method: "POST",
    path: "/flows/import",
    refreshes: ["/flows", "/structured-outputs", "/tools"],
  });
  return {
    isMaking: create.isPending || load.isPending,
    async makeBlank(name) {
      const { id } = await create.mutateAsync({ name });
      showDone(`${name} is there. Give it a prompt, and try it at the right.`);
      navigate(`/flows/${id}`);
    },
    async makeOf(document) {
      const made = await load.mutateAsync(document);
      tell(made);
      navigate(`/flows/${made.flow.id}`);
    },
  };
}

function tell({ flow, tools, structuredOutputs, requiredSecrets, unresolved }: FlowImport): void {
  const parts = [`${tools.length} tools`, `${structuredOutputs.length} structured outputs`];
  showDone(`${flow.name} is there, with ${parts.join(" and ")}.`);
  const missing = [
    ...requiredSecrets.map(({ toolName, header }) => `Set the header ${header} of the tool ${toolName}.`),
    ...unresolved.map(({ path, value }) => `${path} named ${value}, which this workspace does not have.`),
  ];
  if (missing.length > 0) showFault(new Error(missing.slice(0, 8).join("\n")), "Left to do by hand");
}
