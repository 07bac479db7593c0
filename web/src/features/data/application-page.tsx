import { Badge, Button, Code, Group } from "@mantine/core";
import type { Page as ListPage } from "@parley/sdk";
import { lazy, Suspense, useState } from "react";
import { useLocation, useParams } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { RowMenu } from "#web/ui/row-menu.tsx";
import type { Column } from "#web/ui/table/columns.ts";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { Time } from "#web/ui/time.tsx";
import { useRemoval } from "#web/ui/use-removal.ts";
import { type Application, APPLICATIONS_PATH, type DataStore, storesPath } from "./data.ts";

const ApplicationDialog = lazy(async () => ({ default: (await import("./application-dialog.tsx")).ApplicationDialog }));
const StoreDialog = lazy(async () => ({ default: (await import("./store-dialog.tsx")).StoreDialog }));

/** Page of an application with its stores. */
export function ApplicationPage() {
  const { appId } = useParams<{ appId: string }>();
  const read = useRead<Application>(`${APPLICATIONS_PATH}/${appId}`);
  return <Loaded read={read}>{(application) => <ApplicationView application={application} />}</Loaded>;
}

function ApplicationView({ application }: { application: Application }) {
  const [, navigate] = useLocation();
  const mayWrite = useMay("DATA_STORES_WRITE");
  const [isEditing, setEditing] = useState(false);
  const remove = useRemoval<Application>({
    path: ({ id }) => `${APPLICATIONS_PATH}/${id}`,
    name: ({ name }) => name,
    warning: t`Its customers and stores are deleted for good. It is refused while a store has records.`,
    refreshes: [APPLICATIONS_PATH],
    after: () => navigate("/data"),
  });
  return (
    <Page
      title={application.name}
      back={{ href: "/data", label: t`Data` }}
      badge={<Code>{application.key}</Code>}
      lead={application.description}
      actions={
        mayWrite && (
          <>
            <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setEditing(true)}>
              {t`Edit`}
            </Button>
            <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => void remove(application)}>
              {t`Delete`}
            </Button>
          </>
        )
      }
    >
      <Stores appId={application.id} mayWrite={mayWrite} />
      <Suspense fallback={null}>
        {isEditing && <ApplicationDialog application={application} close={() => setEditing(false)} />}
      </Suspense>
    </Page>
  );
}

function Stores({ appId, mayWrite }: { appId: string; mayWrite: boolean }) {
  const read = useRead<ListPage<DataStore>>(storesPath(appId), { size: 200 });
  const [edited, setEdited] = useState<DataStore | "new" | null>(null);
  const remove = useRemoval<DataStore>({
    path: ({ key }) => `${storesPath(appId)}/${key}`,
    name: ({ name }) => name,
    warning: t`All its records are deleted for good.`,
    refreshes: [storesPath(appId)],
  });
  const columns = storeColumns(mayWrite ? { edit: setEdited, remove: (store) => void remove(store) } : null);
  return (
    <Card
      title={t`Data stores`}
      padded={false}
      actions={
        <Group gap="xs">
          <SaveRowsButton rows={read.data?.content} columns={columns} fileName="data-stores.csv" />
          {mayWrite && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setEdited("new")}
            >
              {t`Add store`}
            </Button>
          )}
        </Group>
      }
    >
      <Loaded read={read}>
        {({ content, totalElements }) => (
          <DataTable
            label={t`Data stores`}
            rows={content}
            total={totalElements}
            columns={columns}
            href={({ key }) => `/data/${appId}/${encodeURIComponent(key)}`}
          />
        )}
      </Loaded>
      <Suspense fallback={null}>
        {edited !== null && (
          <StoreDialog appId={appId} store={edited === "new" ? null : edited} close={() => setEdited(null)} />
        )}
      </Suspense>
    </Card>
  );
}

function storeColumns(
  actions: { edit: (store: DataStore) => void; remove: (store: DataStore) => void } | null,
): Column<DataStore>[] {
  return [
    {
      id: "name",
      header: t`Name`,
      cell: ({ name, kind }) => (
        <Group gap={8} component="span" wrap="nowrap">
          <b>{name}</b>
          {kind === "BUILT_IN" && (
            <Badge size="xs" variant="default">
              {t`built in`}
            </Badge>
          )}
        </Group>
      ),
      value: ({ name }) => name,
    },
    { id: "key", header: t`Key`, cell: ({ key }) => <code>{key}</code>, value: ({ key }) => key, isWide: true },
    {
      id: "schema",
      header: t`Fields`,
      cell: ({ schema, kind }) => describeSchema(schema, kind),
      value: ({ schema, kind }) => describeSchema(schema, kind),
      isWide: true,
    },
    {
      id: "updatedAt",
      header: t`Changed`,
      cell: ({ updatedAt }) => <Time at={updatedAt} ago />,
      value: ({ updatedAt }) => updatedAt,
      isWide: true,
    },
    {
      id: "actions",
      header: "",
      width: 50,
      align: "right",
      cell: (store) => (
        <RowMenu
          label={t`Actions for ${store.name}`}
          actions={
            !actions || store.kind === "BUILT_IN"
              ? []
              : [
                  { label: t`Edit`, icon: "edit", run: () => actions.edit(store) },
                  { label: t`Delete`, icon: "trash", isDangerous: true, run: () => actions.remove(store) },
                ]
          }
        />
      ),
    },
  ];
}

function describeSchema(schema: DataStore["schema"], kind: DataStore["kind"]): string {
  if (kind === "BUILT_IN") return t`name, e-mail, phone, external id`;
  if (schema === null) return t`any`;
  const names = Object.keys((schema.properties as object | undefined) ?? {});
  return names.length === 0 ? t`by a schema` : names.slice(0, 6).join(", ") + (names.length > 6 ? " …" : "");
}
