import { PasswordInput, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import type { WebhookForm } from "./webhook-form.ts";

const MODES = [
  { value: "NONE", label: t`Signature only` },
  { value: "BEARER", label: t`Signature and bearer token` },
  { value: "CUSTOM_HEADER", label: t`Signature and a header` },
];

/** Fields for the webhook that reports the end of the job. `keepsSecret`: an empty field keeps the stored secret. */
export function WebhookFields(props: {
  value: WebhookForm;
  change: (value: WebhookForm) => void;
  faults: Record<string, string>;
  keepsSecret?: boolean;
}) {
  const { value: webhook, change, faults, keepsSecret = false } = props;
  const set = (part: Partial<WebhookForm>) => change({ ...webhook, ...part });
  const secretFault = faults["completionWebhook.secret"] ?? faults["completionWebhook.headerValue"];
  return (
    <Stack gap="sm">
      <TextInput
        type="url"
        label={t`Address`}
        description={t`Gets call_job.completed once every row is over. Empty: nobody is told.`}
        placeholder="https://example.com/hooks/calls"
        maxLength={2048}
        value={webhook.url}
        error={faults["completionWebhook.url"]}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      {webhook.url.trim() !== "" && (
        <SimpleGrid cols={{ base: 1, sm: webhook.authMode === "CUSTOM_HEADER" ? 3 : 2 }} spacing="sm">
          <Select
            label={t`How it proves who it is`}
            data={MODES}
            allowDeselect={false}
            value={webhook.authMode}
            onChange={(mode) => set({ authMode: (mode ?? "NONE") as typeof webhook.authMode })}
          />
          {webhook.authMode === "CUSTOM_HEADER" && (
            <TextInput
              label={t`Header`}
              placeholder="X-Secret"
              maxLength={200}
              value={webhook.headerName}
              error={faults["completionWebhook.headerName"]}
              onChange={(event) => set({ headerName: event.currentTarget.value })}
            />
          )}
          {webhook.authMode !== "NONE" && (
            <PasswordInput
              label={webhook.authMode === "BEARER" ? t`Token` : t`Value`}
              autoComplete="off"
              {...(keepsSecret ? { placeholder: t`Empty: unchanged` } : {})}
              maxLength={2048}
              value={webhook.secret}
              error={secretFault}
              onChange={(event) => set({ secret: event.currentTarget.value })}
            />
          )}
        </SimpleGrid>
      )}
    </Stack>
  );
}
