import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useWrite } from "#web/api/queries.ts";
import { showFault } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useConfirm } from "#web/ui/confirm.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { useRemoval } from "#web/ui/use-removal.ts";
import { AddressDialog } from "./address-dialog.tsx";
import { type LeadSource, SOURCES_PATH } from "./lead-source.ts";

const SourceDrawer = lazy(async () => ({ default: (await import("./source-drawer.tsx")).SourceDrawer }));

/** Buttons of a source: change, another address, delete. */
export function SourceActions({ source }: { source: LeadSource }) {
  const mayWrite = useMay("CALL_JOBS_WRITE");
  const [isChanging, changing] = useDisclosure(false);
  const [, navigate] = useLocation();
  const rotate = useRotate();
  const remove = useRemoval<LeadSource>({
    path: ({ id }) => `${SOURCES_PATH}/${id}`,
    name: ({ name }) => name,
    warning: t`Its address and the log of its deliveries end for good. Its calls stay.`,
    refreshes: [SOURCES_PATH],
    after: () => navigate("/leads"),
  });
  if (!mayWrite) return null;
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<Icon name="edit" />} onClick={changing.open}>
        {t`Change`}
      </Button>
      <Button variant="default" leftSection={<Icon name="refresh" />} onClick={() => void rotate(source)}>
        {t`New address`}
      </Button>
      <Button variant="default" color="red" leftSection={<Icon name="trash" />} onClick={() => void remove(source)}>
        {t`Delete`}
      </Button>
      <Suspense fallback={null}>
        {isChanging && <SourceDrawer source={source} close={changing.close} onMade={changing.close} />}
      </Suspense>
    </Group>
  );
}

function useRotate(): (source: LeadSource) => Promise<void> {
  const ask = useConfirm();
  const keepDialog = useKeptDialog();
  const write = useWrite<LeadSource, LeadSource>({
    failed: t`The source keeps its address`,
    method: "POST",
    path: ({ id }) => `${SOURCES_PATH}/${id}/rotate`,
    body: () => ({}),
    refreshes: [SOURCES_PATH],
  });
  return async (source) => {
    const question = {
      title: t`Give ${source.name} another address?`,
      body: t`The address that it has now answers 404 from then on, until the sender has the new one.`,
      action: t`New address`,
      isDangerous: true,
    };
    if (!(await ask(question))) return;
    try {
      const { url } = await write.mutateAsync(source);
      keepDialog((shut) => <AddressDialog url={url ?? ""} close={shut} />);
    } catch (error) {
      showFault(error);
    }
  };
}
