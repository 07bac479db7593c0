import { ActionIcon, Button, Group, Menu, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { StageAction } from "@parley/sdk";
import { useState } from "react";
import { MOST } from "#web/domain/stage/stage.ts";
import { inSentence, t } from "#web/i18n/t.ts";
import { isSame } from "#web/ui/form/merge-fields.ts";
import { Icon } from "#web/ui/icon.tsx";
import { type FlowParts, withLost } from "./use-flow-parts.ts";

const NEW: Record<StageAction["type"], { label: string; action: StageAction }> = {
  SAY: { label: t`Say a text`, action: { type: "SAY", text: "" } },
  CALL_TOOL: { label: t`Call a tool`, action: { type: "CALL_TOOL", toolId: null, arguments: {} } },
  SET: { label: t`Set a variable`, action: { type: "SET", name: "", value: "" } },
};

/** Fields for the actions on entry or exit, in their order. */
export function ActionList(props: {
  label: string;
  actions: StageAction[];
  change: (actions: StageAction[]) => void;
  parts: FlowParts;
}) {
  const { label, actions, change, parts } = props;
  return (
    <Stack gap={6} role="group" aria-label={label}>
      <Text fz="sm" fw={600}>
        {label}
      </Text>
      {actions.map((action, index) => (
        <Group key={index} gap={6} wrap="nowrap" align="flex-start">
          <div className="stage-action">
            <ActionFields
              name={t`${label}, action ${index + 1}`}
              action={action}
              change={(next) => change(actions.with(index, next))}
              parts={parts}
            />
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={t`Remove action ${index + 1} of ${inSentence(label)}`}
            onClick={() => change(actions.toSpliced(index, 1))}
          >
            <Icon name="trash" />
          </ActionIcon>
        </Group>
      ))}
      {actions.length < MOST.actions && (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button size="compact-sm" variant="default" w="fit-content" leftSection={<Icon name="plus" size={14} />}>
              {t`Add an action ${inSentence(label)}`}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {Object.values(NEW).map(({ label: text, action }) => (
              <Menu.Item key={text} onClick={() => change([...actions, action])}>
                {text}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  );
}

interface ActionProps {
  name: string;
  action: StageAction;
  change: (action: StageAction) => void;
  parts: FlowParts;
}

function ActionFields({ name, action, change, parts }: ActionProps) {
  switch (action.type) {
    case "SAY":
      return (
        <Textarea
          aria-label={t`${name}: text to say`}
          placeholder={t`Text to say, with {{ variables }}`}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={5_000}
          value={action.text ?? ""}
          onChange={(event) => change({ ...action, text: event.currentTarget.value })}
        />
      );
    case "SET":
      return (
        <Group gap={6} wrap="nowrap" className="stage-pair">
          <TextInput
            aria-label={t`${name}: variable`}
            placeholder={t`variable`}
            maxLength={100}
            value={action.name ?? ""}
            onChange={(event) => change({ ...action, name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t`${name}: value`}
            placeholder={t`value`}
            maxLength={5_000}
            value={action.value ?? ""}
            onChange={(event) => change({ ...action, value: event.currentTarget.value })}
          />
        </Group>
      );
    case "CALL_TOOL":
      return <CallFields {...{ name, action, change, parts }} />;
  }
}

/** The tool of an action with its arguments; those that are no texts are shown as JSON and stay what they are. */
function CallFields({ name, action, change, parts }: ActionProps) {
  const [typed, setTyped] = useState(Object.entries(action.arguments ?? {}));
  // Two of the same name, as while one is renamed through the name of another, are shown as two.
  const isTyped = isSame(Object.fromEntries(typed), action.arguments ?? {});
  const pairs = isTyped ? typed : Object.entries(action.arguments ?? {});
  const put = (next: [string, unknown][]) => {
    setTyped(next);
    change({ ...action, arguments: Object.fromEntries(next) });
  };
  return (
    <Stack gap={6}>
      <Select
        aria-label={t`${name}: tool`}
        placeholder={t`Choose a tool`}
        data={withLost(parts.tools, [action.toolId], parts.nameOf)}
        allowDeselect={false}
        nothingFoundMessage={t`The flow has no tools`}
        value={action.toolId ?? null}
        onChange={(toolId) => change({ ...action, toolId })}
      />
      {pairs.map(([key, value], index) => (
        <Group key={index} gap={6} wrap="nowrap" className="stage-pair">
          <TextInput
            aria-label={t`${name}: name of argument ${index + 1}`}
            value={key}
            onChange={(event) => put(pairs.with(index, [event.currentTarget.value, value]))}
          />
          <TextInput
            aria-label={t`${name}: value of ${key}`}
            value={typeof value === "string" ? value : JSON.stringify(value)}
            onChange={(event) => put(pairs.with(index, [key, event.currentTarget.value]))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`${name}: remove argument ${key}`}
            onClick={() => put(pairs.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        w="fit-content"
        onClick={() => put([...pairs, [freeKey(pairs.map(([key]) => key)), ""]])}
      >
        {t`Add an argument`}
      </Button>
    </Stack>
  );
}

function freeKey(taken: string[]): string {
  for (let number = 1; ; number++) if (!taken.includes(`argument${number}`)) return `argument${number}`;
}
