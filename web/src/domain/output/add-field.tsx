import { Button, Checkbox, Group, Popover, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { JsonObject } from "@parley/sdk";
import { type KeyboardEvent, useState } from "react";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { isComposing } from "#web/ui/keyboard/composing.ts";
import { type NewField, withField } from "./output.ts";

const TYPES = [
  { value: "string", label: t`Text` },
  { value: "number", label: t`Number` },
  { value: "integer", label: t`Whole number` },
  { value: "boolean", label: t`Yes or no` },
  { value: "date", label: t`Date` },
  { value: "list", label: t`List of texts` },
];
const NONE: NewField = { name: "", type: "string", description: "", isRequired: false };

/** Form that adds a field to the schema, for people who do not write JSON Schema. */
export function AddField({ schema, add }: { schema: JsonObject; add: (schema: JsonObject) => void }) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [field, setField] = useState(NONE);
  const isUsable = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(field.name);
  const insert = () => {
    if (!isUsable) return;
    add(withField(schema, field));
    setField(NONE);
    close();
  };
  return (
    <Popover opened={isOpen} onChange={(open) => !open && close()} width={300} position="top-start" trapFocus withArrow>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          w="fit-content"
          leftSection={<Icon name="plus" size={14} />}
          onClick={toggle}
        >
          {t`Add a field`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`New field`}>
        <FieldForm
          field={field}
          change={(next) => setField({ ...field, ...next })}
          isUsable={isUsable}
          insert={insert}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function FieldForm(props: {
  field: NewField;
  change: (next: Partial<NewField>) => void;
  isUsable: boolean;
  insert: () => void;
}) {
  const { field, change, isUsable, insert } = props;
  const insertOnEnter = (event: KeyboardEvent) => {
    // A list of types takes the key to choose one.
    if (event.key !== "Enter" || event.defaultPrevented || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    insert();
  };
  return (
    <Stack gap="xs" onKeyDown={insertOnEnter}>
      <TextInput
        label={t`Name`}
        placeholder="rating"
        maxLength={64}
        error={field.name !== "" && !isUsable && t`Letters, digits and _, no digit first.`}
        value={field.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Select
        label={t`Type`}
        data={TYPES}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        value={field.type}
        onChange={(type) => type !== null && change({ type })}
      />
      <TextInput
        label={t`Question`}
        placeholder={t`How satisfied were you, from 1 to 5?`}
        value={field.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Group justify="space-between">
        <Checkbox
          label={t`Required`}
          checked={field.isRequired}
          onChange={(event) => change({ isRequired: event.currentTarget.checked })}
        />
        <Button size="xs" disabled={!isUsable} onClick={insert}>
          {t`Add`}
        </Button>
      </Group>
    </Stack>
  );
}
