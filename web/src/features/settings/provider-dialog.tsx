import { Checkbox, SimpleGrid, TagsInput, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useConsoleWrite } from "#web/api/console-queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { KeyField } from "#web/ui/form/key-field.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { GroupRolesField } from "./group-roles-field.tsx";
import { type IdentityProvider, PROVIDERS_PATH } from "./sign-on.ts";

/** Values of the dialog. */
export type ProviderValues = Omit<
  IdentityProvider,
  "id" | "clientSecret" | "redirectUrl" | "signOutUrl" | "scimUrl" | "updatedAt"
> & { clientSecret: string };

type Form = UseFormReturnType<ProviderValues>;

/** Adds or changes an identity provider. */
export function ProviderDialog({ provider, close }: { provider: IdentityProvider | null; close: () => void }) {
  const form = useForm<ProviderValues>({ initialValues: toValues(provider) });
  const write = useConsoleWrite<IdentityProvider, Based<IdentityProvider, ProviderValues>>({
    failed: t`The provider was not saved`,
    method: provider ? "PATCH" : "POST",
    path: ({ base }) => (provider ? `${PROVIDERS_PATH}/${provider.id}${ifUnchanged(base)}` : PROVIDERS_PATH),
    body: ({ body }) => toBody(body, provider !== null),
    refreshes: PROVIDERS_PATH,
  });
  const guard = {
    stored: provider,
    toValues,
    hidesChange: ({ clientSecret }: ProviderValues) => clientSecret !== "",
    path: PROVIDERS_PATH,
    keptAs: `provider ${provider?.id ?? ""}`,
    isOfConsole: true,
    find: (providers: IdentityProvider[]) => providers.find(({ id }) => id === provider?.id),
  };
  const sending = useGuardedSubmit<IdentityProvider, ProviderValues>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    showDone(t`Saved. Test the connection before people use it.`);
    close();
    return saved;
  });
  return (
    <FormDialog
      title={provider?.name ?? t`Add an identity provider`}
      form={form}
      sending={sending}
      close={close}
      action={t`Save provider`}
      size="xl"
    >
      <Client form={form} provider={provider} />
      <People form={form} />
      <GroupRolesField
        roles={form.values.groupRoles}
        change={(roles) => form.setFieldValue("groupRoles", roles)}
        error={form.errors.groupRoles}
      />
    </FormDialog>
  );
}

function Client({ form, provider }: { form: Form; provider: IdentityProvider | null }) {
  const { key } = form.values;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t`Name`}
          description={t`Stands on the sign-in page.`}
          required
          maxLength={60}
          data-autofocus
          {...form.getInputProps("name")}
        />
        {!provider && (
          <TextInput
            label={t`Key`}
            description={t`Its name in addresses; fixed.`}
            placeholder="acme"
            required
            maxLength={40}
            {...form.getInputProps("key")}
          />
        )}
      </SimpleGrid>
      {!provider && (
        <Text fz="sm" c="dimmed">
          {t`Redirect address to enter at the provider: ${window.location.origin}/api/sign-on/${key || "…"}/callback`}
        </Text>
      )}
      {!provider && (
        <TextInput
          label={t`Issuer`}
          placeholder="https://login.example.com"
          required
          maxLength={1_000}
          {...form.getInputProps("issuer")}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t`Client ID`} required maxLength={300} {...form.getInputProps("clientId")} />
        <KeyField
          isStored={(provider?.clientSecret ?? null) !== null}
          {...form.getInputProps("clientSecret")}
          label={t`Client secret`}
        />
      </SimpleGrid>
    </>
  );
}

function People({ form }: { form: Form }) {
  return (
    <>
      <TagsInput
        label={t`E-mail domains`}
        description={t`Only people of these domains get accounts. Press Enter after each.`}
        placeholder="example.com"
        {...form.getInputProps("domains")}
      />
      <Checkbox
        label={t`Make an account at somebody's first sign-in`}
        {...form.getInputProps("createsAccounts", { type: "checkbox" })}
      />
      <Checkbox
        label={t`Link accounts that exist, by a verified e-mail address`}
        description={t`The provider can then sign in as each of these people, owners of the installation included.`}
        {...form.getInputProps("linksByEmail", { type: "checkbox" })}
      />
      <Checkbox
        label={t`Turn passwords off for these domains`}
        description={t`If the provider fails, whoever runs the server turns them on: parley sign-on passwords KEY --set on`}
        {...form.getInputProps("refusesPasswords", { type: "checkbox" })}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput label={t`Claim of groups`} maxLength={200} {...form.getInputProps("groupClaim")} />
        <TextInput label={t`Claim of SCIM's externalId`} maxLength={200} {...form.getInputProps("externalIdClaim")} />
        <TagsInput label={t`More scopes`} placeholder="groups" {...form.getInputProps("scopes")} />
      </SimpleGrid>
    </>
  );
}

function toValues(provider: IdentityProvider | null): ProviderValues {
  return {
    key: provider?.key ?? "",
    name: provider?.name ?? "",
    issuer: provider?.issuer ?? "",
    clientId: provider?.clientId ?? "",
    clientSecret: "",
    scopes: provider?.scopes ?? [],
    domains: provider?.domains ?? [],
    groupClaim: provider?.groupClaim ?? "groups",
    externalIdClaim: provider?.externalIdClaim ?? "sub",
    createsAccounts: provider?.createsAccounts ?? false,
    linksByEmail: provider?.linksByEmail ?? false,
    refusesPasswords: provider?.refusesPasswords ?? false,
    groupRoles: provider?.groupRoles ?? [],
  };
}

/** Key and issuer stay as they were made, and an empty secret keeps the stored one. */
function toBody({ key, issuer, clientSecret, ...rest }: ProviderValues, isStored: boolean): object {
  return {
    ...(isStored ? {} : { key: key.trim(), issuer: issuer.trim() }),
    ...(clientSecret === "" ? {} : { clientSecret }),
    ...rest,
    domains: rest.domains.map((domain) => domain.trim().toLowerCase()),
  };
}
