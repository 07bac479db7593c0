import { Button, Group, MultiSelect, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  DEFAULT_VISITS,
  nameOfStage,
  type Stage,
  STAGE_ID,
  STAGE_TYPES,
  type StageType,
  startOf,
} from "#web/domain/stage/stage.ts";
import { t } from "#web/i18n/t.ts";
import { TextEditor } from "#web/ui/editor/text-editor.tsx";
import { CountField } from "#web/ui/form/count-field.tsx";
import { ActionList } from "./action-list.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { EdgeList } from "./edge-list.tsx";
import { type FlowParts, withLost } from "./use-flow-parts.ts";
import type { StageEditor } from "./use-stage-editor.ts";

interface PartProps {
  stage: Stage;
  parts: FlowParts;
  /** Changes members of the stage; changes in a row with the same tag are one step back. */
  change: (to: Partial<Omit<Stage, "id">>, tag?: string) => void;
}

const TYPES = Object.entries(STAGE_TYPES).map(([value, { label }]) => ({ value, label }));

/** Fields of one stage. */
export function StageFields({ editor, stage, parts }: { editor: StageEditor; stage: Stage; parts: FlowParts }) {
  const { stages, edit } = editor;
  const change: PartProps["change"] = (to, tag) =>
    edit({ type: "CHANGE", id: stage.id, to }, tag && `${tag} ${stage.id}`);
  const isStart = startOf(stages)?.id === stage.id;
  return (
    <Stack gap="sm">
      <TextInput
        label={t`Name of the stage`}
        placeholder={stage.id}
        maxLength={200}
        value={stage.name ?? ""}
        onChange={(event) => change({ name: event.currentTarget.value || null }, "name")}
      />
      <Select
        label={t`Type`}
        description={STAGE_TYPES[stage.type].description}
        data={TYPES}
        allowDeselect={false}
        value={stage.type}
        onChange={(type) => type !== null && change(withType(stage, type as StageType))}
      />
      <WorkFields {...{ stage, parts, change }} />
      <EdgeList editor={editor} stage={stage} parts={parts} />
      <ActionList
        label={t`On entry`}
        actions={stage.onEntry}
        change={(onEntry) => change({ onEntry }, "entry")}
        parts={parts}
      />
      <ActionList
        label={t`On exit`}
        actions={stage.onExit}
        change={(onExit) => change({ onExit }, "exit")}
        parts={parts}
      />
      <GlobalFields {...{ stage, parts, change }} />
      <VisitFields {...{ stage, parts, change, stages }} />
      <IdField key={stage.id} editor={editor} stage={stage} />
      <Group gap={6}>
        <Button
          size="compact-sm"
          variant="default"
          disabled={isStart}
          onClick={() => edit({ type: "START", id: stage.id })}
        >
          {isStart ? t`Sessions begin here` : t`Begin here`}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => edit({ type: "DUPLICATE", id: stage.id })}>
          {t`Duplicate`}
        </Button>
        <Button size="compact-sm" variant="default" c="red" onClick={() => edit({ type: "REMOVE", ids: [stage.id] })}>
          {t`Delete this stage`}
        </Button>
      </Group>
    </Stack>
  );
}

/** Fields of what happens in the stage, by its type. */
function WorkFields({ stage, parts, change }: PartProps) {
  const { type } = stage;
  const names = parts.fields.map(({ name }) => ({ value: name, label: name }));
  return (
    <>
      {type === "SUBFLOW" && (
        <Select
          label={t`Flow`}
          placeholder={t`Choose a flow with stages`}
          data={withLost(parts.flows, [stage.flowId], parts.nameOf)}
          searchable
          allowDeselect={false}
          value={stage.flowId}
          onChange={(flowId) => change({ flowId })}
        />
      )}
      {type === "TRANSFER" && (
        <Select
          label={t`Transfer target`}
          placeholder={t`Choose a target of the flow`}
          data={withLost(
            parts.targets.map((name) => ({ value: name, label: name })),
            [stage.transferTarget],
          )}
          allowDeselect={false}
          nothingFoundMessage={t`The flow has no transfer targets; add one under Edit`}
          value={stage.transferTarget}
          onChange={(transferTarget) => change({ transferTarget })}
        />
      )}
      {(type === "TALK" || type === "CONFIRM") && (
        <MultiSelect
          label={type === "CONFIRM" ? t`Fields that it reads back` : t`Fields that it asks for`}
          placeholder={stage.fields.length === 0 ? t`None` : ""}
          data={withLost(names, stage.fields)}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage={t`The flow has no structured outputs; add one under Edit`}
          value={stage.fields}
          onChange={(fields) => change({ fields })}
        />
      )}
      {type !== "SUBFLOW" && (
        <TextEditor
          label={t`Prompt of the stage`}
          description={t`Added to the flow's prompt while the stage lasts.`}
          language="template"
          variables={parts.variables}
          minHeight={92}
          value={stage.prompt ?? ""}
          onChange={(text) => change({ prompt: text === "" ? null : text }, "prompt")}
        />
      )}
      <ToolFields {...{ stage, parts, change }} />
    </>
  );
}

function ToolFields({ stage, parts, change }: PartProps) {
  if (stage.type === "END" || stage.type === "SUBFLOW") return null;
  return (
    <>
      <Switch
        label={t`May call every tool of the flow`}
        checked={stage.toolIds === null}
        onChange={(event) => change({ toolIds: event.currentTarget.checked ? null : [] })}
      />
      {stage.toolIds !== null && (
        <MultiSelect
          label={t`Tools of the stage`}
          placeholder={stage.toolIds.length === 0 ? t`None` : ""}
          data={withLost(parts.tools, stage.toolIds, parts.nameOf)}
          value={stage.toolIds}
          onChange={(toolIds) => change({ toolIds })}
        />
      )}
      <Select
        label={t`Model of the stage`}
        placeholder={t`The flow's`}
        data={withLost(parts.models, [stage.languageModelId], parts.nameOf)}
        searchable
        clearable
        value={stage.languageModelId}
        onChange={(languageModelId) => change({ languageModelId })}
      />
    </>
  );
}

function GlobalFields({ stage, parts, change }: PartProps) {
  const { global } = stage;
  return (
    <Stack gap="xs" role="group" aria-label={t`Entry from any stage`}>
      <Switch
        label={t`May be entered from any stage`}
        checked={global !== null}
        onChange={(event) =>
          change({
            global: event.currentTarget.checked
              ? { when: { type: "MEANING", description: "", examples: [] }, returns: true }
              : null,
          })
        }
      />
      {global !== null && (
        <>
          <ConditionFields
            when={global.when}
            change={(when) => change({ global: { ...global, when } }, "global")}
            parts={parts}
          />
          <Switch
            label={t`Goes back to the stage before`}
            checked={global.returns}
            onChange={(event) => change({ global: { ...global, returns: event.currentTarget.checked } })}
          />
        </>
      )}
    </Stack>
  );
}

function VisitFields({ stage, change, stages }: PartProps & { stages: Stage[] }) {
  return (
    <Group grow align="flex-end" gap="xs">
      <CountField
        label={t`Visits at most`}
        min={1}
        max={20}
        usual={DEFAULT_VISITS}
        value={stage.maxVisits}
        change={(maxVisits) => change({ maxVisits }, "visits")}
      />
      <Select
        label={t`Then`}
        placeholder={t`Say goodbye`}
        data={stages.filter(({ id }) => id !== stage.id).map((one) => ({ value: one.id, label: nameOfStage(one) }))}
        clearable
        value={stage.onMaxVisits}
        onChange={(onMaxVisits) => change({ onMaxVisits })}
      />
    </Group>
  );
}

/** The id, renamed together with the edges that lead to it once it is complete and free. */
function IdField({ editor, stage }: { editor: StageEditor; stage: Stage }) {
  const [id, setId] = useState(stage.id);
  const isTaken = id !== stage.id && editor.stages.some((one) => one.id === id);
  const fault = isTaken
    ? t`Another stage has this id.`
    : STAGE_ID.test(id)
      ? null
      : t`A small letter, then a-z, 0-9 and _.`;
  const rename = () => {
    if (fault === null && id !== stage.id) editor.edit({ type: "RENAME", id: stage.id, to: id });
  };
  return (
    <TextInput
      label={t`Id`}
      description={t`Named by paths, reports and webhooks.`}
      maxLength={50}
      value={id}
      error={fault}
      onChange={(event) => setId(event.currentTarget.value)}
      onBlur={rename}
      onKeyDown={(event) => event.key === "Enter" && rename()}
    />
  );
}

/** Returns a stage's new type, without the members that only its old type has. */
function withType(
  { type: before, fields, toolIds, prompt, languageModelId, flowId, transferTarget }: Stage,
  type: StageType,
) {
  const asks = type === "TALK" || type === "CONFIRM";
  const speaks = type !== "END" && type !== "SUBFLOW";
  return before === type
    ? {}
    : {
        type,
        fields: asks ? fields : [],
        prompt: type === "SUBFLOW" ? null : prompt,
        toolIds: speaks ? toolIds : null,
        languageModelId: speaks ? languageModelId : null,
        flowId: type === "SUBFLOW" ? flowId : null,
        transferTarget: type === "TRANSFER" ? transferTarget : null,
      };
}
