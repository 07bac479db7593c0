import { Alert, Group, MultiSelect, Select, Stack, Text, TextInput } from "@mantine/core";
import type { Flow, Page, PhoneNumber } from "@parley/sdk";
import { useRead } from "#web/api/queries.ts";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { useNumberOptions } from "#web/domain/number/use-number-options.ts";
import { ConcurrencyField, RetryFields } from "#web/features/jobs/settings-fields.tsx";
import { WebhookFields } from "#web/features/jobs/webhook-fields.tsx";
import { WindowFields } from "#web/features/jobs/window-fields.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import type { JobDefaults } from "./job-defaults.ts";
import { findMissing } from "./new-job.ts";
import { StartFields } from "./start-fields.tsx";
import type { StepProps } from "./step-props.ts";

type SettingsStepProps = StepProps & { variables: string[]; defaults: JobDefaults };

/** Step for all settings except the people. `variables`: those that the file's columns provide to the agent. */
export function SettingsStep({ variables, ...props }: SettingsStepProps) {
  const { form, change, faults } = props;
  const shared = { value: form, change, faults };
  return (
    <Stack>
      <Card title={t`Conversation`}>
        <Stack gap="sm">
          <TextInput
            label={t`Name of the job`}
            placeholder={t`Reminders, week 48`}
            maxLength={200}
            value={form.name}
            error={faults.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <FlowField {...props} variables={variables} />
        </Stack>
      </Card>
      <Card title={t`Numbers and pace`}>
        <Stack gap="sm">
          <NumbersField {...props} />
          <ConcurrencyField {...shared} />
        </Stack>
      </Card>
      <Card title={t`Retries`}>
        <RetryFields {...shared} />
      </Card>
      <Card title={t`When`}>
        <Stack>
          <StartFields {...props} />
          <WindowFields value={form.window} change={(window) => change({ window })} faults={faults} />
        </Stack>
      </Card>
      <Card title={t`Webhook at the end`}>
        <WebhookFields value={form.webhook} change={(webhook) => change({ webhook })} faults={faults} />
      </Card>
    </Stack>
  );
}

interface LocalVariable {
  variableName: string;
  defaultValue?: unknown;
}

function FlowField({ form, change, faults, variables, defaults }: SettingsStepProps) {
  const flows = useFlowChoices();
  const flow = useRead<Flow>(`/flows/${form.flowId ?? ""}`, undefined, { enabled: form.flowId !== null }).data;
  const local = ((flow?.localVariables ?? []) as LocalVariable[])
    .filter(({ defaultValue }) => defaultValue !== undefined && defaultValue !== null)
    .map(({ variableName }) => variableName);
  const missing = flow ? findMissing([flow.masterPrompt, flow.firstMessage], [...variables, ...local]) : [];
  return (
    <>
      <Select
        label={t`Flow`}
        description={t`What the agent says and does`}
        placeholder={defaults.flow.kind === "NONE" ? t`Choose a flow` : t`The workspace's default flow`}
        searchable
        clearable
        data={flows}
        value={form.flowId}
        error={faults.flowId}
        onChange={(flowId) => change({ flowId })}
      />
      {missing.length > 0 && (
        <Alert
          color="orange"
          variant="light"
          icon={<Icon name="alert" />}
          title={t`The flow names what no column gives`}
        >
          <Text fz="sm" className="breaks">
            {t`${missing.slice(0, 12).join(", ")}: these stay empty in every call. Go back to map a column to each, or give them a default in the flow.`}
          </Text>
        </Alert>
      )}
    </>
  );
}

function NumbersField({ form, change, faults, defaults }: Omit<SettingsStepProps, "variables">) {
  const all = useRead<PhoneNumber[] | Page<PhoneNumber>>("/phone-numbers").data ?? [];
  const numbers = Array.isArray(all) ? all : all.content;
  const active = numbers.filter(({ status }) => status === "ACTIVE");
  const chosen = active.filter(({ phoneNumber, isDefault }) =>
    form.numbers.length === 0 ? isDefault : form.numbers.includes(phoneNumber),
  );
  const options = useNumberOptions(active, "phoneNumber");
  const placeholder = defaults.number.kind === "NONE" ? t`Choose a number` : t`The workspace's default number`;
  const lines = chosen.reduce((sum, { maxConcurrentCalls }) => sum + maxConcurrentCalls, 0);
  return (
    <Group align="flex-end">
      <MultiSelect
        label={t`Call from`}
        description={lines > 0 ? t`${lines} calls at once with these numbers` : t`Rows take the numbers in turn`}
        placeholder={form.numbers.length === 0 ? placeholder : ""}
        searchable
        clearable
        {...options}
        value={form.numbers}
        error={faults.fromPhoneNumbers}
        onChange={(next) => change({ numbers: next })}
        style={{ flex: 1 }}
      />
    </Group>
  );
}
