import { ActionIcon, Badge, Button, Code, Group, Menu, Paper, Text } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { useAskedDelete } from "#web/ui/use-removal.ts";
import { type Model, MODELS_PATH, nameProvider } from "./model.ts";
import { SettingsFrame } from "./settings-frame.tsx";
import { TryModel } from "./try-model.tsx";

const ModelDialog = lazy(async () => ({ default: (await import("./model-dialog.tsx")).ModelDialog }));
const MODELS_SHOWN = 200;

type Edited = { model: Model | null };

/** Page of the chat models for flows and the embedding models for knowledge. */
export function ModelsPage() {
  const read = useRead<Page<Model>>(MODELS_PATH, { size: MODELS_SHOWN });
  const mayWrite = useMay("FLOWS_WRITE");
  const [edited, setEdited] = useState<Edited | null>(null);
  const remove = useRemove();
  const add = () => setEdited({ model: null });
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Add a model`, group: t`Language models`, run: add }] : []);
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={add}>
      {t`Add model`}
    </Button>
  );
  const columns = modelColumns(
    mayWrite ? { edit: (model) => setEdited({ model }), remove: (model) => void remove(model) } : null,
  );
  const rows = read.data?.content;
  return (
    <SettingsFrame
      title={t`Language models`}
      lead={t`Who thinks for your flows. Without one, the built-in scripted model answers from the flow's own words.`}
      actions={button}
    >
      <ReadFault read={read} />
      {rows !== undefined && rows.length > 0 && (
        <Group justify="flex-end" mb="sm">
          <SaveRowsButton rows={rows} columns={columns} fileName="models.csv" />
        </Group>
      )}
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`Language models`}
          rows={rows}
          columns={columns}
          {...(read.data ? { total: read.data.totalElements } : {})}
          {...(mayWrite ? { onOpen: (model: Model) => setEdited({ model }) } : {})}
          empty={
            <EmptyState icon="flow" title={t`No model yet`} action={button}>
              {t`Connect OpenAI, Anthropic, Google, or a server of your own such as vLLM or Ollama. Until then conversations follow the flow's script.`}
            </EmptyState>
          }
        />
      </Paper>
      <Suspense fallback={null}>{edited && <ModelDialog {...edited} close={() => setEdited(null)} />}</Suspense>
    </SettingsFrame>
  );
}

type Actions = { edit: (model: Model) => void; remove: (model: Model) => void };

function modelColumns(actions: Actions | null): Column<Model>[] {
  const columns: Column<Model>[] = [
    {
      id: "name",
      header: t`Name`,
      cell: (row) => <ModelName model={row} />,
      value: (row) => row.name,
    },
    {
      id: "provider",
      header: t`Provider`,
      cell: (row) => nameProvider(row.provider),
      value: (row) => nameProvider(row.provider),
      isWide: true,
    },
    { id: "model", header: t`Model`, cell: (row) => <Code>{row.model}</Code>, value: (row) => row.model, isWide: true },
    {
      id: "key",
      header: t`Key`,
      cell: keyState,
      value: keyState,
      isWide: true,
    },
    {
      id: "updatedAt",
      header: t`Changed`,
      cell: (row) => <Time at={row.updatedAt} ago />,
      value: (row) => row.updatedAt,
      isWide: true,
    },
  ];
  if (actions === null) return columns;
  const cell = (row: Model) => (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <TryModel model={row} />
      <RowMenu model={row} {...actions} />
    </Group>
  );
  return [...columns, { id: "actions", header: "", align: "right", width: 130, cell }];
}

function keyState({ apiKey }: Model): string {
  return apiKey === null ? "–" : t`stored`;
}

function ModelName({ model }: { model: Model }) {
  return (
    <Group gap={8}>
      <Text component="span" fz="sm" fw={550} style={{ overflowWrap: "anywhere" }}>
        {model.name}
      </Text>
      {model.isDefault && (
        <Badge size="sm" variant="light" tt="none">
          {t`default`}
        </Badge>
      )}
      {model.kind === "EMBEDDING" && (
        <Badge size="sm" variant="light" color="green" tt="none">
          {t`search`}
        </Badge>
      )}
    </Group>
  );
}

function RowMenu({ model, edit, remove }: { model: Model } & Actions) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t`Actions for ${model.name}`}
          onClick={(event) => event.stopPropagation()}
        >
          <Icon name="more" strokeWidth={2.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        <Menu.Item leftSection={<Icon name="edit" />} onClick={() => edit(model)}>
          {t`Change`}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => remove(model)}>
          {t`Remove`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useRemove(): (model: Model) => Promise<boolean> {
  return useAskedDelete<Model>({
    path: ({ id }) => `${MODELS_PATH}/${id}`,
    refreshes: [MODELS_PATH],
    question: ({ name }) => ({
      title: t`Remove ${name}?`,
      body: t`Flows that name it fall back to their other models, then to the default. Its key is forgotten.`,
      action: t`Remove model`,
    }),
    failed: ({ name }) => t`${name} was not removed`,
    done: ({ name }) => t`${name} is removed.`,
  });
}
