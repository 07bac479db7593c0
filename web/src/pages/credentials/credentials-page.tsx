import { Button, Paper } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useShortcutKeys } from "#web/keyboard/shortcuts.tsx";
import { DataTable } from "#web/table/data-table.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote } from "#web/ui/load-state.tsx";
import { Page } from "#web/ui/page.tsx";
import { credentialColumns } from "./credential-columns.tsx";
import { type Credential, CREDENTIALS_PATH, type Minted, stateOf } from "./credential.ts";

const CreateDialog = lazy(async () => ({ default: (await import("./create-dialog.tsx")).CreateDialog }));
const PermissionsDialog = lazy(async () => ({ default: (await import("./permissions-dialog.tsx")).PermissionsDialog }));
const SecretDialog = lazy(async () => ({ default: (await import("./secret-dialog.tsx")).SecretDialog }));

/** Keys and OAuth clients: made, limited and revoked by people only. */
export function CredentialsPage() {
  const read = useRead<Credential[]>(CREDENTIALS_PATH);
  const [isCreating, setCreating] = useState(false);
  const [minted, setMinted] = useState<Minted | null>(null);
  const [edited, setEdited] = useState<Credential | null>(null);
  const revoke = useRevoke();
  useShortcutKeys([{ keys: "n", label: "Create a key", group: "API credentials", run: () => setCreating(true) }]);
  const create = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
      Create key
    </Button>
  );
  const showSecret = (made: Minted) => {
    setCreating(false);
    setMinted(made);
  };
  return (
    <Page
      title="API credentials"
      lead="What programs use to reach this workspace. A secret is shown once."
      actions={create}
    >
      {read.error && <FaultNote error={read.error} retry={() => void read.refetch()} />}
      <Paper withBorder style={{ overflow: "hidden" }}>
        <DataTable
          label="API credentials"
          rows={read.data}
          columns={credentialColumns({ edit: setEdited, revoke })}
          empty={
            <EmptyState icon="key" title="No credentials yet" action={create}>
              A key lets your code, the command line or an MCP client work in this workspace.
            </EmptyState>
          }
        />
      </Paper>
      <Suspense fallback={null}>
        {isCreating && <CreateDialog close={() => setCreating(false)} onMinted={showSecret} />}
        {minted && <SecretDialog minted={minted} close={() => setMinted(null)} />}
        {edited && <PermissionsDialog credential={edited} close={() => setEdited(null)} />}
      </Suspense>
    </Page>
  );
}

function useRevoke(): (credential: Credential) => void {
  const ask = useConfirm();
  const write = useWrite<void, string>({
    method: "DELETE",
    path: (id) => `${CREDENTIALS_PATH}/${id}`,
    refreshes: [CREDENTIALS_PATH],
  });
  const revoke = async (credential: Credential) => {
    if (stateOf(credential) !== "ACTIVE") return;
    const isSure = await ask({
      title: `Revoke ${credential.name}?`,
      body: "Whatever uses it is refused from its next request on. This cannot be taken back.",
      action: "Revoke",
      isDangerous: true,
    });
    if (!isSure) return;
    await write.mutateAsync(credential.id);
    showDone(`${credential.name} is revoked.`);
  };
  return (credential) => void revoke(credential).catch(showFault);
}
