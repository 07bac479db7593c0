import { NumberInput, Select, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { StageCondition } from "@parley/sdk";
import { useState } from "react";
import type { SchemaField } from "#web/domain/output/output.ts";
import { CONDITION_TYPES, type FieldOperator, isUnary, OPERATORS } from "#web/domain/stage/stage-words.ts";
import { t } from "#web/i18n/t.ts";
import { type FlowParts, withLost } from "./use-flow-parts.ts";

interface ConditionProps {
  when: StageCondition;
  change: (when: StageCondition) => void;
  parts: FlowParts;
}

const FIRST: Record<StageCondition["type"], Omit<StageCondition, "type">> = {
  ALWAYS: {},
  COLLECTED: {},
  FIELD: { field: "", operator: "IS_SET" },
  TOOL_RESULT: { toolId: null, outcome: "SUCCEEDED" },
  EXPRESSION: { expression: "" },
  MEANING: { description: "", examples: [] },
};

const TYPES = Object.entries(CONDITION_TYPES).map(([value, label]) => ({ value, label }));

/** Fields for a condition, chosen step by step. */
export function ConditionFields({ when, change, parts }: ConditionProps) {
  return (
    <Stack gap="xs">
      <Select
        label={t`Taken when`}
        data={TYPES}
        allowDeselect={false}
        value={when.type}
        onChange={(type) =>
          type !== null &&
          type !== when.type &&
          change({ type: type as StageCondition["type"], ...FIRST[type as StageCondition["type"]] })
        }
      />
      {when.type === "FIELD" && <FieldCondition {...{ when, change, parts }} />}
      {when.type === "TOOL_RESULT" && <ToolCondition {...{ when, change, parts }} />}
      {when.type === "MEANING" && <MeaningCondition {...{ when, change, parts }} />}
      {when.type === "EXPRESSION" && (
        <Textarea
          label={t`Template`}
          description={t`Liquid; it holds unless it renders nothing, 0 or false.`}
          placeholder="{{ fields.people | at_least: 5 }}"
          autosize
          minRows={2}
          maxLength={2_000}
          value={when.expression ?? ""}
          onChange={(event) => change({ ...when, expression: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}

/** Fields for a comparison of a field of the flow's outputs. */
export function FieldCondition({ when, change, parts }: ConditionProps) {
  const operator = when.operator ?? "EQUALS";
  const field = parts.fields.find(({ name }) => name === when.field);
  const names = parts.fields.map(({ name }) => ({ value: name, label: name }));
  const pick = (next: FieldOperator) => {
    const { value, ...rest } = when;
    const isKept = !isUnary(next) && (next === "ONE_OF") === Array.isArray(value) && value !== undefined;
    change({
      ...rest,
      operator: next,
      ...(isKept ? { value } : isUnary(next) ? {} : { value: firstValue(next, field) }),
    });
  };
  return (
    <>
      <Select
        label={t`Field`}
        placeholder={t`Choose a field`}
        data={withLost(names, [when.field])}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t`The flow has no structured outputs`}
        value={when.field || null}
        onChange={(name) => change({ type: "FIELD", field: name, operator: "IS_SET" })}
      />
      <Select
        label={t`Comparison`}
        data={operatorsOf(field).map((one) => ({ value: one, label: OPERATORS[one] }))}
        allowDeselect={false}
        value={operator}
        onChange={(next) => next !== null && pick(next as FieldOperator)}
      />
      {!isUnary(operator) && <ValueField when={when} field={field} change={(value) => change({ ...when, value })} />}
    </>
  );
}

interface ValueProps {
  when: StageCondition;
  field: SchemaField | undefined;
  change: (value: unknown) => void;
}

/** Field for the value of a comparison, by the type of the flow's field. */
function ValueField({ when, field, change }: ValueProps) {
  const { value } = when;
  if (when.operator === "ONE_OF") return <ListField {...{ when, field, change }} />;
  if (isNumeric(field)) return <NumberField {...{ value, change }} allowDecimal={field?.type === "number"} />;
  if (field?.type === "boolean") {
    return (
      <Select
        label={t`Value`}
        data={YES_NO}
        allowDeselect={false}
        value={String(value)}
        onChange={(text) => change(text === "true")}
      />
    );
  }
  const text = typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
  if (field?.choices) {
    const known = field.choices.map((one) => ({ value: one, label: one }));
    return (
      <Select label={t`Value`} data={withLost(known, [text])} allowDeselect={false} value={text} onChange={change} />
    );
  }
  return <TextInput label={t`Value`} value={text} onChange={(event) => change(event.currentTarget.value)} />;
}

interface NumberProps {
  value: unknown;
  change: (value: number | null) => void;
  allowDecimal: boolean;
}

/** Field for a number. What is typed on the way to one, such as "-" and "1.", stays until the field is left. */
function NumberField({ value, change, allowDecimal }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = (next: number | string) => {
    const number = next === "" ? Number.NaN : Number(next);
    setTyped(typeof next === "string" ? next : null);
    change(Number.isNaN(number) ? null : number);
  };
  return (
    <NumberInput
      label={t`Value`}
      allowDecimal={allowDecimal}
      hideControls
      value={typed ?? (typeof value === "number" ? value : "")}
      onChange={take}
      onBlur={() => setTyped(null)}
    />
  );
}

const YES_NO = [
  { value: "true", label: t`yes` },
  { value: "false", label: t`no` },
];

function ListField({ when: { value }, field, change }: ValueProps) {
  return (
    <TagsInput
      label={t`Values`}
      description={t`Enter adds one.`}
      data={field?.choices ?? []}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(texts) => change(texts.map((text) => (isNumeric(field) ? toNumber(text) : text)))}
    />
  );
}

function isNumeric(field: SchemaField | undefined): boolean {
  return field?.type === "number" || field?.type === "integer";
}

function ToolCondition({ when, change, parts }: ConditionProps) {
  return (
    <>
      <Select
        label={t`Tool`}
        placeholder={t`Choose a tool`}
        data={withLost(parts.tools, [when.toolId], parts.nameOf)}
        allowDeselect={false}
        nothingFoundMessage={t`The flow has no tools`}
        value={when.toolId ?? null}
        onChange={(toolId) => change({ ...when, toolId })}
      />
      <Select
        label={t`Its latest run in this stage`}
        data={[
          { value: "SUCCEEDED", label: t`succeeded` },
          { value: "FAILED", label: t`failed` },
        ]}
        allowDeselect={false}
        value={when.outcome ?? "SUCCEEDED"}
        onChange={(outcome) => change({ ...when, outcome: outcome === "FAILED" ? "FAILED" : "SUCCEEDED" })}
      />
    </>
  );
}

function MeaningCondition({ when, change }: ConditionProps) {
  return (
    <>
      <TextInput
        label={t`The person …`}
        placeholder={t`asks about the price`}
        maxLength={500}
        value={when.description ?? ""}
        onChange={(event) => change({ ...when, description: event.currentTarget.value })}
      />
      <TagsInput
        label={t`Examples`}
        description={t`Sentences that a person may say; Enter adds one. The scripted model compares their words.`}
        maxTags={50}
        value={when.examples ?? []}
        onChange={(examples) => change({ ...when, examples: examples.map((one) => one.slice(0, 200)) })}
      />
    </>
  );
}

function operatorsOf(field: SchemaField | undefined): FieldOperator[] {
  const all = Object.keys(OPERATORS) as FieldOperator[];
  if (field?.type === "boolean") return ["EQUALS", "NOT_EQUALS", "IS_SET", "IS_NOT_SET"];
  return all;
}

function firstValue(operator: FieldOperator, field: SchemaField | undefined): unknown {
  if (operator === "ONE_OF") return [];
  if (field?.type === "boolean") return true;
  if (isNumeric(field)) return field?.minimum ?? 0;
  return field?.choices?.[0] ?? "";
}

function toNumber(text: string): number | string {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : text;
}
