import { Group, SimpleGrid, Switch, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { KeyField } from "#web/ui/form/key-field.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { SPEECH_PATH, SPEECH_PROVIDERS, type SpeechAccount, type SpeechAccounts } from "./speech.ts";

type Values = {
  apiKey: string;
  baseUrl: string;
  voice: string;
  transcriptionModel: string;
  speechModel: string;
  hears: boolean;
  speaks: boolean;
};

/** Adds or changes an account with a speech provider. */
export function SpeechDialog({ account, close }: { account: SpeechAccount; close: () => void }) {
  const usual = SPEECH_PROVIDERS[account.provider];
  const form = useForm<Values>({ initialValues: toValues(account) });
  const write = useWrite<SpeechAccount, Based<SpeechAccount>>({
    failed: t`The account was not saved`,
    method: "PUT",
    path: ({ base }) => `${SPEECH_PATH}/${account.provider}${ifUnchanged(base)}`,
    body: ({ body }) => body,
    refreshes: [SPEECH_PATH],
  });
  const guard = {
    stored: account,
    toValues,
    hidesChange: ({ apiKey }: Values) => apiKey !== "",
    path: SPEECH_PATH,
    keptAs: `speech ${account.provider}`,
    find: ({ accounts }: SpeechAccounts) => accounts.find(({ provider }) => provider === account.provider),
  };
  const sending = useGuardedSubmit<SpeechAccount, Values>(form, guard, async (values, base) => {
    const saved = await write.mutateAsync({ body: toBody(values, account), base });
    showDone(t`Saved. Test it before a call does.`);
    close();
    return saved;
  });
  return (
    <FormDialog title={usual.name} form={form} sending={sending} close={close} action={t`Save account`}>
      <KeyAndVoice form={form} account={account} />
      <ModelsAndUse form={form} account={account} />
    </FormDialog>
  );
}

type Part = { form: UseFormReturnType<Values>; account: SpeechAccount };

function KeyAndVoice({ form, account }: Part) {
  const usual = SPEECH_PROVIDERS[account.provider];
  const hasKey = account.apiKey !== null;
  return (
    <>
      <KeyField isStored={hasKey} data-autofocus {...form.getInputProps("apiKey")} />
      <TextInput
        label={t`Voice`}
        description={t`Of flows that name none.`}
        placeholder={usual.voice}
        maxLength={200}
        {...form.getInputProps("voice")}
      />
      <TextInput
        label={t`Address`}
        description={t`Empty: the provider's own. When it changes, enter the key again.`}
        placeholder={usual.url}
        maxLength={2048}
        {...form.getInputProps("baseUrl")}
      />
    </>
  );
}

function ModelsAndUse({ form, account }: Part) {
  const usual = SPEECH_PROVIDERS[account.provider];
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {usual.hearing !== null && (
          <TextInput
            label={t`Model that hears`}
            placeholder={usual.hearing}
            maxLength={200}
            {...form.getInputProps("transcriptionModel")}
          />
        )}
        {usual.speaking !== null && (
          <TextInput
            label={t`Model that speaks`}
            placeholder={usual.speaking}
            maxLength={200}
            {...form.getInputProps("speechModel")}
          />
        )}
      </SimpleGrid>
      <Group>
        {usual.hearing !== null && (
          <Switch label={t`Hears in calls`} {...form.getInputProps("hears", { type: "checkbox" })} />
        )}
        <Switch label={t`Speaks in calls`} {...form.getInputProps("speaks", { type: "checkbox" })} />
      </Group>
    </>
  );
}

function toValues({ provider, source, ...account }: SpeechAccount): Values {
  const isNew = source !== "WORKSPACE";
  return {
    apiKey: "",
    baseUrl: account.baseUrl ?? "",
    voice: account.voice ?? "",
    transcriptionModel: account.transcriptionModel ?? "",
    speechModel: account.speechModel ?? "",
    hears: isNew ? SPEECH_PROVIDERS[provider].hearing !== null : account.hears,
    speaks: isNew || account.speaks,
  };
}

function toBody({ apiKey, hears, speaks, ...texts }: Values, { provider }: SpeechAccount): object {
  const { hearing, speaking } = SPEECH_PROVIDERS[provider];
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    ...(apiKey === "" ? {} : { apiKey }),
    baseUrl: orNull(texts.baseUrl),
    voice: orNull(texts.voice),
    ...(hearing === null ? {} : { hears, transcriptionModel: orNull(texts.transcriptionModel) }),
    ...(speaking === null ? {} : { speechModel: orNull(texts.speechModel) }),
    speaks,
  };
}
