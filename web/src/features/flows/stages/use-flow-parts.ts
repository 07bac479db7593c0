import type { StructuredOutput } from "@parley/sdk";
import { useMemo } from "react";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead } from "#web/api/queries.ts";
import { BUILT_IN_VARIABLES } from "#web/domain/flow/flow.ts";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { fieldsOf, readSchema, type SchemaField } from "#web/domain/output/output.ts";
import type { NameOf } from "#web/domain/stage/stage-words.ts";
import type { FlowFormType } from "#web/features/flows/sections/flow-values.ts";
import { t } from "#web/i18n/t.ts";

/** An option of a field. */
export interface Choice {
  value: string;
  label: string;
}

/** The parts of a flow that its stages name. */
export interface FlowParts {
  /** Fields of the flow's structured outputs, shared and its own. */
  fields: SchemaField[];
  /** The flow's tools. */
  tools: Choice[];
  models: Choice[];
  /** Other flows. */
  flows: Choice[];
  /** Names of the flow's transfer targets. */
  targets: string[];
  /** Variables that a template may name. */
  variables: string[];
  nameOf: NameOf;
}

interface Named {
  id: string;
  name: string;
  kind?: string;
}

/** Returns what the stages of a flow's form may name, saved or not. */
export function useFlowParts(form: FlowFormType, flowId: string): FlowParts {
  const values = form.getValues();
  const tools = useRead<Named[]>("/tools").data;
  const outputs = useRead<StructuredOutput[]>("/structured-outputs").data;
  const models = useAllRows<Named>("/models").data;
  const flows = useFlowChoices();
  const { structuredOutputs, structuredOutputIds, toolIds, localVariables, transferTargets } = values;
  return useMemo(() => {
    const shared = (outputs ?? []).filter(({ id }) => structuredOutputIds.includes(id)).map(({ schema }) => schema);
    const fields = [...shared, ...structuredOutputs.map(({ schema }) => readSchema(schema))].flatMap(fieldsOf);
    const names = new Map([...(tools ?? []), ...(models ?? [])].map(({ id, name }) => [id, name]));
    for (const { value, label } of flows) names.set(value, label);
    const nameOf = (id: string) => names.get(id) ?? `…${id.slice(-6)}`;
    return {
      fields: [...new Map(fields.map((field) => [field.name, field])).values()],
      tools: toolIds.map((value) => ({ value, label: nameOf(value) })),
      models: (models ?? [])
        .filter(({ kind }) => kind !== "EMBEDDING")
        .map(({ id, name }) => ({ value: id, label: name })),
      flows: flows.filter(({ value }) => value !== flowId),
      targets: [...new Set(transferTargets.map(({ name }) => name).filter((name) => name !== ""))],
      variables: [...localVariables.map(({ variableName }) => variableName), ...BUILT_IN_VARIABLES, "fields", "stage"],
      nameOf,
    };
  }, [
    outputs,
    structuredOutputIds,
    structuredOutputs,
    toolIds,
    tools,
    models,
    flows,
    localVariables,
    transferTargets,
    flowId,
  ]);
}

/** Returns options with those that are chosen but not offered any more. */
export function withLost(choices: Choice[], chosen: (string | null | undefined)[], nameOf?: NameOf): Choice[] {
  const lost = chosen.filter((one) => one && !choices.some(({ value }) => value === one)) as string[];
  return [...choices, ...lost.map((value) => ({ value, label: t`${nameOf?.(value) ?? value} (not in this flow)` }))];
}
