import { Group, NumberInput, Select, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { BUILDERS_ONLY, PlainFieldset } from "#web/ui/form/plain-fieldset.tsx";
import { ParameterList } from "./parameter-list.tsx";
import { RequestFields } from "./request-fields.tsx";
import type { ToolValues } from "./tool-values.ts";
import { TOOL_TYPES } from "./tool.ts";
import { TransferFields } from "./transfer-fields.tsx";

type Form = UseFormReturnType<ToolValues>;

/** All fields of a tool's type. */
export function ToolFields({ form, isReadOnly }: { form: Form; isReadOnly: boolean }) {
  const { toolType } = form.getValues();
  const isRequest = toolType === "API" || toolType === "MCP";
  return (
    <PlainFieldset isReadOnly={isReadOnly} reason={BUILDERS_ONLY}>
      <Stack>
        <BasicFields form={form} />
        {isRequest && <RequestFields form={form} />}
        {toolType === "CODE" && <CodeFields form={form} />}
        {toolType === "FORWARD_CALL" && <TransferFields form={form} />}
        <ParameterList form={form} />
        {toolType !== "FORWARD_CALL" && <AnswerFields form={form} />}
        <MessageFields form={form} />
        <MockFields form={form} />
      </Stack>
    </PlainFieldset>
  );
}

function BasicFields({ form }: { form: Form }) {
  const about = TOOL_TYPES.find(({ value }) => value === form.getValues().toolType)?.about;
  return (
    <Card title={t`Basics`}>
      <Stack>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label={t`Name`}
            description={t`As the model calls it.`}
            placeholder="look_up_order"
            required
            maxLength={64}
            {...form.getInputProps("name")}
          />
          <Select
            label={t`Type`}
            description={about}
            data={TOOL_TYPES.map(({ value, label }) => ({ value, label }))}
            allowDeselect={false}
            {...form.getInputProps("toolType")}
          />
        </Group>
        <Textarea
          label={t`Description`}
          description={t`Tells the model what it does, and when to use it.`}
          required
          autosize
          minRows={2}
          maxRows={10}
          {...form.getInputProps("description")}
        />
        <Group gap="xl">
          <Switch
            label={t`The answer comes later`}
            description={t`By a callback, while the talk goes on.`}
            {...form.getInputProps("isAsync", { type: "checkbox" })}
          />
          <Switch
            label={t`For other tools only`}
            description={t`Not offered to the model.`}
            {...form.getInputProps("internalOnly", { type: "checkbox" })}
          />
        </Group>
      </Stack>
    </Card>
  );
}

function CodeFields({ form }: { form: Form }) {
  const isPlain = form.getValues().code !== null;
  return (
    <Card title={isPlain ? t`Code` : t`Execution plan`}>
      {isPlain ? (
        <TextEditor
          label="JavaScript"
          description={t`What it returns is the answer: return parameters.a + 1`}
          language="plain"
          minHeight={180}
          {...form.getInputProps("code")}
          value={form.getValues().code ?? ""}
        />
      ) : (
        <TextEditor label={t`Steps`} language="json" minHeight={240} {...form.getInputProps("executionPlan")} />
      )}
    </Card>
  );
}

const VALUE_TYPES = ["string", "number", "integer", "boolean", "array", "object"];

function AnswerFields({ form }: { form: Form }) {
  return (
    <Card title={t`Answer`}>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label={t`Part that counts`}
          placeholder="data.items.0.price"
          {...form.getInputProps("returnValue.path")}
        />
        <Select
          label={t`Type`}
          placeholder={t`Any`}
          data={VALUE_TYPES}
          clearable
          {...form.getInputProps("returnValue.type")}
        />
        <TextInput
          label={t`Keep in variable`}
          placeholder="price"
          {...form.getInputProps("returnValue.saveToVariable")}
        />
      </Group>
    </Card>
  );
}

function MessageFields({ form }: { form: Form }) {
  return (
    <Card title={t`What is said meanwhile`}>
      <Stack>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput
            label={t`When it starts`}
            placeholder={t`One moment, please.`}
            {...form.getInputProps("messages.start")}
          />
          <TextInput
            label={t`When it takes long`}
            placeholder={t`Still looking.`}
            {...form.getInputProps("messages.delayed")}
          />
        </Group>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextInput label={t`When it worked`} {...form.getInputProps("messages.success")} />
          <TextInput label={t`When it failed`} {...form.getInputProps("messages.failure")} />
        </Group>
      </Stack>
    </Card>
  );
}

function MockFields({ form }: { form: Form }) {
  const isMocked = form.getValues().mockConfig.enabled;
  return (
    <Card
      title={t`Mock`}
      actions={
        <Switch
          size="sm"
          label={t`Answer from here`}
          {...form.getInputProps("mockConfig.enabled", { type: "checkbox" })}
        />
      }
    >
      {isMocked ? (
        <Stack>
          <TextEditor
            label={t`Answer`}
            description={t`JSON. No request leaves while the mock is on, in calls too.`}
            language="json"
            minHeight={90}
            {...form.getInputProps("mockConfig.result")}
          />
          <Group grow align="flex-start">
            <TextInput label={t`Or fail with`} placeholder={t`Nothing`} {...form.getInputProps("mockConfig.error")} />
            <NumberInput
              label={t`After, ms`}
              placeholder="0"
              min={0}
              max={120_000}
              allowDecimal={false}
              {...form.getInputProps("mockConfig.delayMs")}
            />
          </Group>
        </Stack>
      ) : (
        <Text fz="sm" c="dimmed">
          {t`Off: the real thing is asked.`}
        </Text>
      )}
    </Card>
  );
}
