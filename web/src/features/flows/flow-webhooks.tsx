import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Page } from "@parley/sdk";
import { useKeptDialog } from "#web/api/kept-dialogs.tsx";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { SigningSecretDialog } from "#web/domain/webhook/signing-secret-dialog.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { useUndoableRemoval } from "#web/ui/use-removal.ts";

interface SessionWebhook {
  id: string;
  flowId: string | null;
  url: string;
  events: string[];
  enabled: boolean;
  signingSecret?: string | null;
}

const PATH = "/session-webhooks";

/** Webhooks for the sessions of this flow. */
export function FlowWebhooks({ flowId }: { flowId: string }) {
  const read = useRead<Page<SessionWebhook>>(PATH, { flowId, size: 200 });
  const mayWrite = useMay("FLOWS_WRITE");
  return (
    <Card title={t`Told of this flow's sessions`}>
      <Stack>
        <Loaded read={read}>
          {({ content }) =>
            content.length === 0 ? (
              <Text fz="sm" c="dimmed">
                {t`Nobody yet. A webhook hears when a call or chat of this flow starts, of every message, and of its end.`}
              </Text>
            ) : (
              <ul className="plain-list">
                {content.map((hook) => (
                  <HookLine key={hook.id} hook={hook} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {mayWrite && <NewHook flowId={flowId} />}
      </Stack>
    </Card>
  );
}

function HookLine({ hook }: { hook: SessionWebhook }) {
  const mayWrite = useMay("FLOWS_WRITE");
  const remove = useUndoableRemoval<SessionWebhook>({
    list: PATH,
    message: () => t`The webhook is removed.`,
    failed: () => t`The webhook was not removed`,
  });
  return (
    <li>
      <Group justify="space-between" wrap="nowrap">
        <div className="shrink">
          <Text fz="sm" ff="monospace" className="break">
            {hook.url}
          </Text>
          <Text fz="xs" c="dimmed">
            {hook.events.join(", ")}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <StatusBadge status={hook.enabled ? "ENABLED" : "DISABLED"} />
          {mayWrite && (
            <ActionIcon variant="subtle" color="gray" aria-label={t`Remove ${hook.url}`} onClick={() => remove(hook)}>
              <Icon name="trash" />
            </ActionIcon>
          )}
        </Group>
      </Group>
    </li>
  );
}

function NewHook({ flowId }: { flowId: string }) {
  const form = useForm({ initialValues: { url: "" } });
  const keepDialog = useKeptDialog();
  const write = useWrite<SessionWebhook, { url: string }>({
    failed: t`The webhook was not added`,
    method: "POST",
    path: PATH,
    body: ({ url }) => ({ url: url.trim(), flowId }),
    refreshes: [PATH],
  });
  const { isSending, fault, submit } = useSubmit(
    form,
    async (values) => {
      const made = await write.mutateAsync(values);
      form.reset();
      showDone(t`It hears of every session from now on.`);
      const secret = made.signingSecret ?? "";
      keepDialog((close) => <SigningSecretDialog secret={secret} title={t`The webhook is there`} close={close} />);
    },
    { key: `webhook of ${flowId}` },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <FormFault fault={fault} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t`Address`}
            placeholder="https://example.com/hooks/sessions"
            type="url"
            required
            maxLength={2_048}
            style={{ flex: 1 }}
            {...form.getInputProps("url")}
          />
          <Button type="submit" loading={isSending}>
            {t`Add webhook`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
