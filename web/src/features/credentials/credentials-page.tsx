import { Alert, Button, Group, Paper } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useRead } from "#web/api/queries.ts";
import { plural, t } from "#web/i18n/t.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useCreating } from "#web/ui/filters/use-creating.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useShortcutKeys } from "#web/ui/keyboard/shortcuts.tsx";
import { ReadFault } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import type { BulkAction } from "#web/ui/table/bulk-bar.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";
import { SaveRowsButton } from "#web/ui/table/save-rows-button.tsx";
import { useBulkDelete } from "#web/ui/table/use-bulk-write.ts";
import { useAskedDelete } from "#web/ui/use-removal.ts";
import { credentialColumns } from "./credential-columns.tsx";
import { type Credential, CREDENTIALS_PATH, isLive, type Minted, stateOf } from "./credential.ts";

const CreateDialog = lazy(async () => ({ default: (await import("./create-dialog.tsx")).CreateDialog }));
const LimitsDialog = lazy(async () => ({ default: (await import("./limits-dialog.tsx")).LimitsDialog }));
const RotateDialog = lazy(async () => ({ default: (await import("./rotate-dialog.tsx")).RotateDialog }));
const PermissionsDialog = lazy(async () => ({ default: (await import("./permissions-dialog.tsx")).PermissionsDialog }));
const SecretDialog = lazy(async () => ({ default: (await import("./secret-dialog.tsx")).SecretDialog }));

/** Keys and OAuth clients: made, limited and revoked by people only. */
export function CredentialsPage() {
  const read = useRead<Credential[]>(CREDENTIALS_PATH);
  const [isCreating, setCreating] = useCreating("key");
  const keepDialog = useKeptDialog();
  const [edited, setEdited] = useState<Credential | null>(null);
  const [limited, setLimited] = useState<Credential | null>(null);
  const [rotated, setRotated] = useState<Credential | null>(null);
  const revoke = useRevoke();
  const columns = credentialColumns({
    edit: setEdited,
    limit: setLimited,
    rotate: setRotated,
    revoke: (credential) => void revoke(credential),
  });
  const bulk = useRevokeAll();
  useShortcutKeys([{ keys: "n", label: t`Create a key`, group: t`API credentials`, run: () => setCreating(true) }]);
  const create = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
      {t`Create key`}
    </Button>
  );
  const showSecret = (made: Minted) => {
    setCreating(false);
    setRotated(null);
    keepDialog((close) => <SecretDialog minted={made} close={close} />);
  };
  return (
    <Page
      title={t`API credentials`}
      lead={t`What programs use to reach this workspace. A secret is shown once.`}
      actions={create}
    >
      <ReadFault read={read} />
      <ExpiryNote expiring={(read.data ?? []).filter((one) => stateOf(one) === "EXPIRING")} />
      <Group justify="flex-end" mb="sm">
        <SaveRowsButton rows={read.data} columns={columns} fileName="api-credentials.csv" />
      </Group>
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label={t`API credentials`}
          rows={read.data}
          columns={columns}
          bulkActions={bulk}
          empty={
            <EmptyState icon="key" title={t`No credentials yet`} action={create}>
              {t`A key lets your code, the command line or an MCP client work in this workspace.`}
            </EmptyState>
          }
        />
      </Paper>
      <Suspense fallback={null}>
        {isCreating && <CreateDialog close={() => setCreating(false)} onMinted={showSecret} />}
        {edited && <PermissionsDialog credential={edited} close={() => setEdited(null)} />}
        {limited && <LimitsDialog credential={limited} close={() => setLimited(null)} />}
        {rotated && <RotateDialog credential={rotated} close={() => setRotated(null)} onMinted={showSecret} />}
      </Suspense>
    </Page>
  );
}

function ExpiryNote({ expiring }: { expiring: Credential[] }) {
  if (expiring.length === 0) return null;
  return (
    <Alert color="orange" variant="light" mb="sm" icon={<Icon name="alert" />} title={t`Credentials expire this week`}>
      {t`${expiring.map(({ name }) => name).join(", ")}: rotate them, so that the programs that use them are not refused.`}
    </Alert>
  );
}

function useRevokeAll(): BulkAction<Credential>[] {
  return [
    useBulkDelete<Credential>({
      list: CREDENTIALS_PATH,
      label: t`Revoke`,
      title: (count) => t`Revoke ${count}?`,
      only: isLive,
      counted: (count) => plural(count, "{n} credential", "{n} credentials"),
      body: t`Whatever uses them is refused from its next request on. This cannot be taken back.`,
    }),
  ];
}

function useRevoke(): (credential: Credential) => Promise<boolean> {
  return useAskedDelete<Credential>({
    path: ({ id }) => `${CREDENTIALS_PATH}/${id}`,
    refreshes: [CREDENTIALS_PATH],
    question: ({ name }) => ({
      title: t`Revoke ${name}?`,
      body: t`Whatever uses it is refused from its next request on. This cannot be taken back.`,
      action: t`Revoke`,
    }),
    failed: ({ name }) => t`${name} was not revoked`,
    done: ({ name }) => t`${name} is revoked.`,
  });
}
