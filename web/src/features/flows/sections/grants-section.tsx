import { MultiSelect, Select, SimpleGrid, Stack } from "@mantine/core";
import type { StructuredOutput } from "@parley/sdk";
import { useAllRows } from "#web/api/all-rows.ts";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FigureField } from "./figure-field.tsx";
import type { FlowFormType } from "./flow-values.ts";
import { OwnOutputs } from "./own-outputs.tsx";
import { StoreField } from "./store-field.tsx";

interface Named {
  id: string;
  name: string;
}

/** Fields for the agent's tools, knowledge and outputs. */
export function GrantsSection({ form }: { form: FlowFormType }) {
  const values = form.getValues();
  const tools = useRead<(Named & { isSystem: boolean })[]>("/tools");
  const outputs = useRead<StructuredOutput[]>("/structured-outputs");
  const agents = useAllRows<Named>("/agents");
  return (
    <Card title={t`Capabilities`}>
      <Stack>
        <MultiSelect
          label={t`Structured outputs`}
          description={t`What is asked for and kept as fields.`}
          placeholder={values.structuredOutputIds.length === 0 ? t`None` : ""}
          data={options(outputs.data, values.structuredOutputIds)}
          searchable
          clearable
          hidePickedOptions
          {...form.getInputProps("structuredOutputIds")}
        />
        <OwnOutputs form={form} />
        <MultiSelect
          label={t`Tools`}
          description={t`What the agent may call during a conversation.`}
          placeholder={values.toolIds.length === 0 ? t`None` : ""}
          data={options(tools.data, values.toolIds)}
          searchable
          clearable
          hidePickedOptions
          {...form.getInputProps("toolIds")}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={t`Knowledge`}
            description={t`Agent whose items are searched.`}
            placeholder={t`The agents that follow this flow`}
            data={options(agents.data, values.agentId === null ? [] : [values.agentId])}
            searchable
            clearable
            {...form.getInputProps("agentId")}
          />
          <StoreField form={form} />
        </SimpleGrid>
        <ModelFields form={form} />
      </Stack>
    </Card>
  );
}

function ModelFields({ form }: { form: FlowFormType }) {
  const models = useAllRows<Named & { kind?: string }>("/models");
  const { modelId, fallbackModelIds } = form.getValues().model;
  const speaking = models.data?.filter(({ kind }) => kind !== "EMBEDDING");
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Select
        label={t`Model`}
        placeholder={t`Default`}
        data={options(speaking, modelId === null ? [] : [modelId])}
        searchable
        clearable
        {...form.getInputProps("model.modelId")}
      />
      <MultiSelect
        label={t`When it fails, ask`}
        placeholder={fallbackModelIds.length === 0 ? t`No other` : ""}
        data={options(speaking, fallbackModelIds)}
        maxValues={5}
        {...form.getInputProps("model.fallbackModelIds")}
      />
      <FigureField form={form} path="model.temperature" label={t`Temperature`} usual={1} min={0} max={2} decimals />
    </SimpleGrid>
  );
}

/** Options of a field, including picked ones that were deleted since. */
function options(rows: Named[] | undefined, picked: string[]): { value: string; label: string }[] {
  const known = (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const lost = picked.filter((id) => !known.some(({ value }) => value === id));
  return [
    ...known,
    ...lost.map((id) => ({ value: id, label: rows === undefined ? "…" : t`deleted (${id.slice(-6)})` })),
  ];
}
