import { Button } from "@mantine/core";
import type { Page } from "@parley/sdk";
import { useRead, useWrite } from "#web/api/queries.ts";
import { notifyResult } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";
import { type SessionWebhook, WEBHOOKS_PATH } from "./webhook.ts";

const WEBHOOKS_READ = 200;

/** Button that starts or stops sending the events of all flows to a URL. */
export function SubscribeButton({ url }: { url: string }) {
  const mayWrite = useMay("FLOWS_WRITE");
  const { data } = useRead<Page<SessionWebhook>>(WEBHOOKS_PATH, { size: WEBHOOKS_READ }, { enabled: mayWrite });
  const refreshes = [WEBHOOKS_PATH];
  const add = useWrite<SessionWebhook>({
    failed: t`No webhook was added`,
    method: "POST",
    path: WEBHOOKS_PATH,
    body: () => ({ url }),
    refreshes,
  });
  const stop = useUndoableRemoval<SessionWebhook>({
    list: WEBHOOKS_PATH,
    message: () => t`No more events are sent here.`,
    failed: () => t`Events are still sent here`,
  });
  if (!mayWrite || data === undefined) return null;
  const existing = data.content.find((webhook) => webhook.url === url && webhook.flowId === null);
  const start = () => notifyResult(add.mutateAsync(), t`Every event is sent here from now on.`);
  return existing ? (
    <Button size="xs" variant="default" onClick={() => stop(existing)}>
      {t`Stop sending events here`}
    </Button>
  ) : (
    <Button size="xs" loading={add.isPending} onClick={start}>
      {t`Send all events here`}
    </Button>
  );
}
