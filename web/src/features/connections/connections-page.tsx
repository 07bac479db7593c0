import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { RowMenu } from "#web/ui/row-menu.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { Time } from "#web/ui/time.tsx";
import { useAskedDelete } from "#web/ui/use-removal.ts";
import { type Connection, CONNECTIONS_PATH, type Provider, PROVIDERS_PATH } from "./connection.ts";
import { PackList } from "./pack-list.tsx";

const ConnectionDialog = lazy(async () => ({ default: (await import("./connection-dialog.tsx")).ConnectionDialog }));

type Edited = { connection: Connection | null };

/** Page of the workspace's connections to providers, and of the tool packs for them. */
export function ConnectionsPage() {
  const read = useRead<Connection[]>(CONNECTIONS_PATH);
  const { data: providers = [] } = useRead<Provider[]>(PROVIDERS_PATH);
  const mayWrite = useMay("TOOLS_WRITE");
  const [edited, setEdited] = useState<Edited | null>(null);
  const signIn = useSignIn();
  const remove = useRemove();
  const add = () => setEdited({ connection: null });
  useShortcutKeys(mayWrite ? [{ keys: "n", label: t`Add a connection`, group: t`Connections`, run: add }] : []);
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={add}>
      {t`Add connection`}
    </Button>
  );
  const actions = { signIn, edit: (connection: Connection) => setEdited({ connection }), remove };
  const columns = connectionColumns(providers, mayWrite ? actions : null);
  return (
    <Page
      title={t`Connections`}
      lead={t`Calendars, spreadsheets and CRMs that the agents’ tools work with. Tokens are sealed; no model ever gets one.`}
      actions={button}
    >
      <Stack gap="lg">
        <ReadFault read={read} />
        <Paper withBorder style={{ overflow: "hidden" }}>
          <DataTable
            label={t`Connections`}
            rows={read.data}
            columns={columns}
            {...(mayWrite ? { onOpen: actions.edit } : {})}
            empty={
              <EmptyState icon="link" title={t`No connection yet`} action={button}>
                {t`Connect Google, Cal.com, HubSpot, Salesforce, Slack or another service, then install its tools below.`}
              </EmptyState>
            }
          />
        </Paper>
        <PackList connections={read.data ?? []} />
      </Stack>
      <Suspense fallback={null}>
        {edited && <ConnectionDialog {...edited} providers={providers} close={() => setEdited(null)} />}
      </Suspense>
    </Page>
  );
}

type Actions = Record<"signIn" | "edit" | "remove", (connection: Connection) => void>;

function connectionColumns(providers: Provider[], actions: Actions | null): Column<Connection>[] {
  const titleOf = ({ provider }: Connection) => providers.find((one) => one.provider === provider)?.title ?? provider;
  const columns: Column<Connection>[] = [
    { id: "name", header: t`Name`, cell: (row) => row.name, value: (row) => row.name },
    { id: "provider", header: t`Provider`, cell: titleOf, value: titleOf, isWide: true },
    { id: "state", header: t`State`, cell: (row) => <State connection={row} />, value: (row) => row.state },
    {
      id: "connectedBy",
      header: t`Connected by`,
      cell: (row) => row.connectedBy ?? "",
      value: (row) => row.connectedBy ?? "",
      isWide: true,
    },
    {
      id: "connectedAt",
      header: t`Since`,
      cell: (row) => row.connectedAt && <Time at={row.connectedAt} ago />,
      value: (row) => row.connectedAt ?? "",
      isWide: true,
    },
  ];
  if (actions === null) return columns;
  const cell = (row: Connection) => <RowActions connection={row} {...actions} />;
  return [...columns, { id: "actions", header: "", align: "right", width: 150, cell }];
}

function State({ connection: { state, failure } }: { connection: Connection }) {
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={state} />
      {failure !== null && (
        <Text fz="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {failure}
        </Text>
      )}
    </Stack>
  );
}

function RowActions({ connection, signIn, edit, remove }: { connection: Connection } & Actions) {
  const { name, state, method } = connection;
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {method === "OAUTH" && (
        <Button
          size="compact-sm"
          variant={state === "CONNECTED" ? "subtle" : "light"}
          aria-label={t`Sign in to ${name}`}
          onClick={(event) => {
            event.stopPropagation();
            signIn(connection);
          }}
        >
          {state === "CONNECTED" ? t`Reconnect` : t`Sign in`}
        </Button>
      )}
      <RowMenu
        label={t`Actions for ${name}`}
        actions={[
          { label: t`Change`, icon: "edit", run: () => edit(connection) },
          { label: t`Delete`, icon: "trash", run: () => remove(connection), isDangerous: true },
        ]}
      />
    </Group>
  );
}

/** Begins a sign-in and leaves the dashboard for the provider, which sends the browser back. */
function useSignIn(): (connection: Connection) => void {
  const write = useWrite<{ authorizationUrl: string }, Connection>({
    failed: ({ name }) => t`The sign-in to ${name} did not begin`,
    method: "POST",
    path: ({ id }) => `${CONNECTIONS_PATH}/${id}/sign-in`,
    body: () => undefined,
  });
  return (connection) => {
    write
      .mutateAsync(connection)
      .then(({ authorizationUrl }) => window.location.assign(authorizationUrl))
      .catch(showFault);
  };
}

function useRemove(): (connection: Connection) => void {
  const ask = useAskedDelete<Connection>({
    path: ({ id }) => `${CONNECTIONS_PATH}/${id}`,
    refreshes: [CONNECTIONS_PATH],
    question: ({ name }) => ({
      title: t`Delete ${name}?`,
      body: t`Its tokens are revoked at the provider where that is possible. Tools that use it fail from then on.`,
      action: t`Delete connection`,
    }),
    failed: ({ name }) => t`${name} was not deleted`,
    done: ({ name }) => t`${name} is deleted.`,
  });
  return (connection) => void ask(connection);
}
