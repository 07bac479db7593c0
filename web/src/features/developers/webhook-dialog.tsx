import { Checkbox, PasswordInput, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { EVENTS, type SessionWebhook, WEBHOOKS_PATH } from "./webhook.ts";

type Values = {
  url: string;
  flowId: string | null;
  events: string[];
  authMode: SessionWebhook["authMode"];
  secret: string;
  headerName: string;
  headerValue: string;
  enabled: boolean;
};

/** Adds or changes a webhook. */
export function WebhookDialog(props: {
  webhook: SessionWebhook | null;
  close: () => void;
  onMade: (webhook: SessionWebhook) => void;
}) {
  const { webhook, close, onMade } = props;
  const form = useForm<Values>({ initialValues: toValues(webhook) });
  const write = useWrite<SessionWebhook, Based<SessionWebhook, Values>>({
    failed: t`The webhook was not saved`,
    method: webhook === null ? "POST" : "PUT",
    path: ({ base }) => (webhook === null ? WEBHOOKS_PATH : `${WEBHOOKS_PATH}/${webhook.id}${ifUnchanged(base)}`),
    body: ({ body }) => toBody(body),
    refreshes: [WEBHOOKS_PATH],
  });
  const guard = {
    stored: webhook,
    toValues,
    hidesChange: ({ secret, headerValue }: Values) => secret !== "" || headerValue !== "",
    path: `${WEBHOOKS_PATH}/${webhook?.id ?? ""}`,
  };
  const sending = useGuardedSubmit<SessionWebhook, Values>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    if (webhook === null) {
      onMade(saved);
    } else {
      showDone(t`Saved. It holds from the next event on.`);
      close();
    }
    return saved;
  });
  return (
    <FormDialog
      title={webhook === null ? t`Add a webhook` : t`Webhook`}
      form={form}
      sending={sending}
      close={close}
      action={webhook === null ? t`Add webhook` : t`Save`}
    >
      <Fields form={form} webhook={webhook} />
    </FormDialog>
  );
}

function Fields({ form, webhook }: { form: UseFormReturnType<Values>; webhook: SessionWebhook | null }) {
  const flows = useFlowChoices();
  return (
    <>
      <TextInput
        label={t`Address`}
        placeholder="https://example.com/hooks/parley"
        required
        maxLength={2048}
        data-autofocus
        {...form.getInputProps("url")}
      />
      <Select
        label={t`Of which flow`}
        placeholder={t`Every flow`}
        clearable
        searchable
        data={flows}
        {...form.getInputProps("flowId")}
      />
      <Checkbox.Group label={t`When`} {...form.getInputProps("events")}>
        <Stack gap="xs" mt={6}>
          {EVENTS.map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      <SignedBy form={form} hasSecret={webhook?.authMode !== undefined && webhook.authMode !== "NONE"} />
      {webhook !== null && (
        <Switch
          label={t`Send events`}
          description={webhook.disabledReason ?? undefined}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
      )}
    </>
  );
}

function SignedBy({ form, hasSecret }: { form: UseFormReturnType<Values>; hasSecret: boolean }) {
  const { authMode } = form.getValues();
  const keep = hasSecret
    ? t`One is stored. Leave this empty to keep it. When the address goes to another host, enter it again.`
    : t`Sealed when it is stored, never shown again.`;
  return (
    <>
      <Select
        label={t`Shows itself by`}
        description={t`Every webhook is signed as well; its secret is shown when it is added.`}
        allowDeselect={false}
        data={[
          { value: "NONE", label: t`The signature alone` },
          { value: "BEARER", label: t`Authorization: Bearer …` },
          { value: "CUSTOM_HEADER", label: t`A header of yours` },
        ]}
        {...form.getInputProps("authMode")}
      />
      {authMode === "BEARER" && (
        <PasswordInput label={t`Token`} description={keep} autoComplete="off" {...form.getInputProps("secret")} />
      )}
      {authMode === "CUSTOM_HEADER" && (
        <>
          <TextInput label={t`Header`} placeholder="X-My-Secret" {...form.getInputProps("headerName")} />
          <PasswordInput
            label={t`Value`}
            description={keep}
            autoComplete="off"
            {...form.getInputProps("headerValue")}
          />
        </>
      )}
    </>
  );
}

function toValues(webhook: SessionWebhook | null): Values {
  return {
    url: webhook?.url ?? "",
    flowId: webhook?.flowId ?? null,
    events: webhook?.events ?? EVENTS.map(({ value }) => value),
    authMode: webhook?.authMode ?? "NONE",
    secret: "",
    headerName: webhook?.headerName ?? "",
    headerValue: "",
    enabled: webhook?.enabled ?? true,
  };
}

function toBody({ secret, headerName, headerValue, ...plain }: Values): object {
  return {
    ...plain,
    ...(plain.authMode === "BEARER" && secret !== "" ? { secret } : {}),
    ...(plain.authMode === "CUSTOM_HEADER" ? { headerName, ...(headerValue === "" ? {} : { headerValue }) } : {}),
  };
}
