import { PasswordInput, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import type { NewJobForm } from "./new-job.ts";
import type { StepProps } from "./settings-step.tsx";

const MODES = [
  { value: "NONE", label: "Signature only" },
  { value: "BEARER", label: "Signature and bearer token" },
  { value: "CUSTOM_HEADER", label: "Signature and a header" },
];

/** Where the end of the job is reported. */
export function WebhookFields({ form, change, faults }: StepProps) {
  const { webhook } = form;
  const set = (part: Partial<NewJobForm["webhook"]>) => change({ webhook: { ...webhook, ...part } });
  const secretFault = faults["completionWebhook.secret"] ?? faults["completionWebhook.headerValue"];
  return (
    <Stack gap="sm">
      <TextInput
        type="url"
        label="Address"
        description="Gets call_job.completed once every row is over. Empty: nobody is told."
        placeholder="https://example.com/hooks/calls"
        maxLength={2048}
        value={webhook.url}
        error={faults["completionWebhook.url"]}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      {webhook.url.trim() !== "" && (
        <SimpleGrid cols={{ base: 1, sm: webhook.authMode === "CUSTOM_HEADER" ? 3 : 2 }} spacing="sm">
          <Select
            label="How it proves who it is"
            data={MODES}
            allowDeselect={false}
            value={webhook.authMode}
            onChange={(mode) => set({ authMode: (mode ?? "NONE") as typeof webhook.authMode })}
          />
          {webhook.authMode === "CUSTOM_HEADER" && (
            <TextInput
              label="Header"
              placeholder="X-Secret"
              maxLength={200}
              value={webhook.headerName}
              error={faults["completionWebhook.headerName"]}
              onChange={(event) => set({ headerName: event.currentTarget.value })}
            />
          )}
          {webhook.authMode !== "NONE" && (
            <PasswordInput
              label={webhook.authMode === "BEARER" ? "Token" : "Value"}
              autoComplete="off"
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
