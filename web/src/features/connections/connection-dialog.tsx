import { Code, Group, SegmentedControl, Select, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { KeyField } from "#web/ui/form/key-field.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { type Connection, CONNECTIONS_PATH, type Custom, type Provider } from "./connection.ts";

type Values = {
  name: string;
  provider: string;
  method: Connection["method"];
  clientId: string;
  clientSecret: string;
  apiKey: string;
  scopes: string[];
  baseUrl: string;
  custom: { authorizationUrl: string; tokenUrl: string; apiOrigins: string[]; keyHeader: string };
};
type Form = UseFormReturnType<Values>;

/** Adds a connection, or changes one. */
export function ConnectionDialog(props: { connection: Connection | null; providers: Provider[]; close: () => void }) {
  const { connection, providers, close } = props;
  const form = useForm<Values>({ initialValues: toValues(connection) });
  const write = useWrite<Connection, Based<Connection>>({
    failed: t`The connection was not saved`,
    method: connection === null ? "POST" : "PUT",
    path: ({ base }) =>
      connection === null ? CONNECTIONS_PATH : `${CONNECTIONS_PATH}/${connection.id}${ifUnchanged(base)}`,
    body: ({ body }) => body,
    refreshes: [CONNECTIONS_PATH],
  });
  const guard = {
    stored: connection,
    toValues,
    hidesChange: ({ clientSecret, apiKey }: Values) => clientSecret !== "" || apiKey !== "",
    path: `${CONNECTIONS_PATH}/${connection?.id ?? ""}`,
  };
  const sending = useGuardedSubmit<Connection, Values>(form, guard, async (values, base) => {
    const saved = await write.mutateAsync({ body: toBody(values, base), base });
    showDone(saved.state === "NOT_CONNECTED" ? t`${saved.name} is there. Sign in to it next.` : t`Saved.`);
    close();
    return saved;
  });
  return (
    <FormDialog
      title={connection === null ? t`Add a connection` : connection.name}
      form={form}
      sending={sending}
      close={close}
      action={connection === null ? t`Add connection` : t`Save`}
    >
      <TextInput label={t`Name`} required maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <Fields form={form} connection={connection} providers={providers} />
    </FormDialog>
  );
}

function Fields({ form, connection, providers }: { form: Form; connection: Connection | null; providers: Provider[] }) {
  const { provider, method } = form.getValues();
  const known = providers.find((one) => one.provider === provider);
  return (
    <>
      {connection === null && (
        <Select
          label={t`Provider`}
          data={providers.map(({ provider: value, title }) => ({ value, label: title }))}
          allowDeselect={false}
          {...form.getInputProps("provider")}
          onChange={(next) => form.setValues({ provider: next ?? provider, method: "OAUTH" })}
        />
      )}
      {connection === null && known !== undefined && known.methods.length > 1 && (
        <SegmentedControl
          aria-label={t`How to connect`}
          data={[
            { value: "OAUTH", label: t`Sign in (OAuth)` },
            { value: "API_KEY", label: t`API key` },
          ]}
          {...form.getInputProps("method")}
        />
      )}
      {method === "OAUTH" ? (
        <AppFields form={form} hasSecret={connection?.clientSecret != null} redirectUri={known?.redirectUri ?? ""} />
      ) : (
        <KeyField isStored={connection?.apiKey != null} {...form.getInputProps("apiKey")} />
      )}
      {provider === "CUSTOM" ? (
        <CustomFields form={form} />
      ) : (
        <TextInput
          label={t`Server`}
          description={t`Empty: the provider’s own. For a server of yours, or your organisation’s, such as https://example.my.salesforce.com. When it changes, enter the secret again.`}
          maxLength={2048}
          {...form.getInputProps("baseUrl")}
        />
      )}
    </>
  );
}

function AppFields({ form, hasSecret, redirectUri }: { form: Form; hasSecret: boolean; redirectUri: string }) {
  return (
    <>
      <Stack gap={4}>
        <Text fz="sm">{t`Make an OAuth app at the provider, and register this redirect URI for it:`}</Text>
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: "anywhere" }}>{redirectUri}</Code>
          <CopyButton text={redirectUri} label={t`Copy the redirect URI`} />
        </Group>
      </Stack>
      <TextInput label={t`Client id`} required maxLength={500} {...form.getInputProps("clientId")} />
      <KeyField isStored={hasSecret} {...form.getInputProps("clientSecret")} label={t`Client secret`} />
      <TagsInput
        label={t`Scopes`}
        description={t`Empty: what the tool packs need. Press Enter after each.`}
        {...form.getInputProps("scopes")}
      />
    </>
  );
}

function CustomFields({ form }: { form: Form }) {
  const isKey = form.getValues().method === "API_KEY";
  return (
    <>
      {isKey ? (
        <TextInput
          label={t`Header of the key`}
          description={t`Empty: Authorization, as “Bearer key”.`}
          placeholder="X-Api-Key"
          {...form.getInputProps("custom.keyHeader")}
        />
      ) : (
        <>
          <TextInput label={t`Sign-in address`} required {...form.getInputProps("custom.authorizationUrl")} />
          <TextInput label={t`Token address`} required {...form.getInputProps("custom.tokenUrl")} />
        </>
      )}
      <TagsInput
        label={t`Servers that get the token`}
        description={t`Scheme and host, such as https://api.example.com. No tool can send it elsewhere.`}
        {...form.getInputProps("custom.apiOrigins")}
      />
    </>
  );
}

function toValues(connection: Connection | null): Values {
  const { authorizationUrl, tokenUrl, apiOrigins = [], keyHeader } = connection?.custom ?? ({} as Partial<Custom>);
  return {
    name: connection?.name ?? "",
    provider: connection?.provider ?? "GOOGLE",
    method: connection?.method ?? "OAUTH",
    clientId: connection?.clientId ?? "",
    clientSecret: "",
    apiKey: "",
    scopes: connection?.scopes ?? [],
    baseUrl: connection?.baseUrl ?? "",
    custom: {
      authorizationUrl: authorizationUrl ?? "",
      tokenUrl: tokenUrl ?? "",
      apiOrigins,
      keyHeader: keyHeader ?? "",
    },
  };
}

function toBody({ provider, method, custom, ...values }: Values, base: Connection | null): object {
  const isCustom = provider === "CUSTOM";
  const isKey = method === "API_KEY";
  const own = {
    ...base?.custom,
    apiOrigins: custom.apiOrigins,
    ...(isKey
      ? { keyHeader: custom.keyHeader.trim() || null }
      : { authorizationUrl: custom.authorizationUrl.trim(), tokenUrl: custom.tokenUrl.trim() }),
  };
  return {
    ...(base === null ? { provider, method } : {}),
    name: values.name.trim(),
    ...(isKey ? {} : { clientId: values.clientId.trim(), scopes: values.scopes }),
    ...(values.clientSecret === "" ? {} : { clientSecret: values.clientSecret }),
    ...(values.apiKey === "" ? {} : { apiKey: values.apiKey }),
    ...(isCustom ? { custom: own } : { baseUrl: values.baseUrl.trim() || null }),
  };
}
