import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { showUndo } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { FilterValues } from "./url-state.ts";

interface View {
  name: string;
  values: FilterValues;
}

/** Named filters, stored in this browser by workspace and screen. */
export function SavedViews({
  screen,
  values,
  open,
}: {
  screen: string;
  values: FilterValues;
  open: (values: FilterValues) => void;
}) {
  const { id } = useWorkspace();
  const [views, setViews] = useLocalStorage<View[]>({ key: `parley:views:${id}:${screen}`, defaultValue: [] });
  const [isNaming, setNaming] = useState(false);
  const save = (name: string) => {
    setViews((all) => [...all.filter((view) => view.name !== name), { name, values }]);
    setNaming(false);
  };
  const remove = (view: View) => {
    const before = views;
    setViews((all) => all.filter((other) => other !== view));
    showUndo(t`The view ${view.name} is deleted.`, async () => setViews(before));
  };
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<Icon name="star" size={14} />}>
            {t`Views`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 && <Menu.Label>{t`Filter the list, then save it as a view.`}</Menu.Label>}
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => open(view.values)}>{view.name}</Menu.Item>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t`Delete view ${view.name}`}
                onClick={() => remove(view)}
              >
                <Icon name="close" size={12} />
              </ActionIcon>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<Icon name="plus" size={14} />}
            disabled={Object.keys(values).length === 0}
            onClick={() => setNaming(true)}
          >
            {t`Save these filters`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isNaming} onClose={() => setNaming(false)} title={<Text fw={600}>{t`Save view`}</Text>} size="sm">
        <NameForm onSave={save} />
      </Modal>
    </>
  );
}

function NameForm({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") onSave(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t`Name`}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          maxLength={60}
        />
        <Button type="submit">{t`Save view`}</Button>
      </Stack>
    </form>
  );
}
