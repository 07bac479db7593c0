import { NumberInput, Select, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { KeyField } from "#web/ui/form/key-field.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { hasNoEffort, type Model, MODELS_PATH, PROVIDERS, type Provider, REASONING_EFFORTS } from "./model.ts";

type Values = {
  kind: Model["kind"];
  name: string;
  provider: Provider;
  baseUrl: string;
  model: string;
  apiKey: string;
  temperature: number | "";
  maxOutputTokens: number | "";
  reasoningEffort: string | null;
  region: string;
  accessKeyId: string;
  isDefault: boolean;
};

/** Adds a model, or changes one. */
export function ModelDialog({ model, close }: { model: Model | null; close: () => void }) {
  const form = useForm<Values>({ initialValues: toValues(model) });
  const write = useWrite<Model, Based<Model>>({
    failed: t`The model was not saved`,
    method: model === null ? "POST" : "PUT",
    path: ({ base }) => (model === null ? MODELS_PATH : `${MODELS_PATH}/${model.id}${ifUnchanged(base)}`),
    body: ({ body }) => body,
    refreshes: [MODELS_PATH],
  });
  const guard = {
    stored: model,
    toValues,
    hidesChange: ({ apiKey }: Values) => apiKey !== "",
    path: `${MODELS_PATH}/${model?.id ?? ""}`,
  };
  const sending = useGuardedSubmit<Model, Values>(form, guard, async (values, base) => {
    const saved = await write.mutateAsync({ body: toBody(values, base), base });
    showDone(model === null ? t`${values.name} is there. Try it before a call does.` : t`Saved.`);
    close();
    return saved;
  });
  return (
    <FormDialog
      title={model === null ? t`Add a model` : model.name}
      form={form}
      sending={sending}
      close={close}
      action={model === null ? t`Add model` : t`Save`}
    >
      {model === null && (
        <SegmentedControl
          aria-label={t`What it does`}
          data={[
            { value: "CHAT", label: t`Speaks in calls and chats` },
            { value: "EMBEDDING", label: t`Finds by meaning` },
          ]}
          {...form.getInputProps("kind")}
        />
      )}
      <Fields form={form} hasKey={model?.apiKey != null} />
    </FormDialog>
  );
}

function Fields({ form, hasKey }: { form: UseFormReturnType<Values>; hasKey: boolean }) {
  const { kind, provider } = form.getValues();
  const usual = PROVIDERS.find(({ value }) => value === provider);
  const providers = kind === "EMBEDDING" ? PROVIDERS.filter(({ value }) => value === "OPENAI_COMPATIBLE") : PROVIDERS;
  return (
    <>
      <TextInput
        label={t`Name`}
        description={t`What flows call it.`}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select label={t`Provider`} data={providers} allowDeselect={false} {...form.getInputProps("provider")} />
      <TextInput
        label={t`Model`}
        description={t`The provider's name of it.`}
        placeholder={kind === "CHAT" ? usual?.model : "text-embedding-3-small"}
        required
        maxLength={200}
        {...form.getInputProps("model")}
      />
      <TextInput
        label={t`Address`}
        description={
          provider === "AZURE_OPENAI"
            ? t`The endpoint of your resource. When it changes, enter the key again.`
            : t`Empty: the provider's own. For a server of yours, its /v1 address. When it changes, enter the key again.`
        }
        required={provider === "AZURE_OPENAI"}
        placeholder={usual?.url ?? ""}
        maxLength={2048}
        {...form.getInputProps("baseUrl")}
      />
      {provider === "AMAZON_BEDROCK" && <Bedrock form={form} />}
      <KeyField isStored={hasKey} {...form.getInputProps("apiKey")} />
      {kind === "CHAT" && (
        <NumberInput
          label={t`Temperature`}
          description={t`Empty: the provider's own.`}
          min={0}
          max={2}
          step={0.1}
          {...form.getInputProps("temperature")}
        />
      )}
      {kind === "CHAT" && <Effort form={form} provider={provider} />}
      <Switch
        label={kind === "CHAT" ? t`Flows that name no model speak through it` : t`Knowledge is searched with it`}
        {...form.getInputProps("isDefault", { type: "checkbox" })}
      />
    </>
  );
}

function Bedrock({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <TextInput label={t`Region`} placeholder="eu-west-1" required maxLength={40} {...form.getInputProps("region")} />
      <TextInput
        label={t`Access key ID`}
        description={t`Then the key below is its secret. Empty: the key is a Bedrock API key.`}
        maxLength={128}
        {...form.getInputProps("accessKeyId")}
      />
    </>
  );
}

function Effort({ form, provider }: { form: UseFormReturnType<Values>; provider: Provider }) {
  return (
    <>
      <NumberInput
        label={t`Output tokens at most`}
        description={t`Of one answer, hidden reasoning included. Empty: as the model needs.`}
        min={64}
        max={200_000}
        step={256}
        allowDecimal={false}
        {...form.getInputProps("maxOutputTokens")}
      />
      {!hasNoEffort(provider) && (
        <Select
          label={t`Reasoning effort`}
          description={t`Empty: low for models known to reason.`}
          data={REASONING_EFFORTS}
          clearable
          {...form.getInputProps("reasoningEffort")}
        />
      )}
    </>
  );
}

function toValues(model: Model | null): Values {
  return {
    kind: model?.kind ?? "CHAT",
    name: model?.name ?? "",
    provider: model?.provider ?? "OPENAI_COMPATIBLE",
    baseUrl: model?.baseUrl ?? "",
    model: model?.model ?? "",
    apiKey: "",
    temperature: model?.temperature ?? "",
    maxOutputTokens: model?.maxOutputTokens ?? "",
    reasoningEffort: model?.reasoningEffort ?? null,
    region: model?.region ?? "",
    accessKeyId: model?.accessKeyId ?? "",
    isDefault: model?.isDefault ?? false,
  };
}

/** Request body. It has `isDefault` only when the form changed it, because another model's save may change it too. */
function toBody(values: Values, model: Model | null): object {
  const { baseUrl, apiKey, temperature, maxOutputTokens, reasoningEffort, isDefault, region, accessKeyId, ...plain } =
    values;
  const isBedrock = plain.provider === "AMAZON_BEDROCK";
  const textOrNull = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    ...plain,
    ...(isDefault === (model?.isDefault ?? false) ? {} : { isDefault }),
    ...(model === null ? {} : { kind: model.kind }),
    ...(plain.kind === "EMBEDDING"
      ? { provider: "OPENAI_COMPATIBLE" }
      : {
          temperature: temperature === "" ? null : temperature,
          maxOutputTokens: maxOutputTokens === "" ? null : maxOutputTokens,
          reasoningEffort: hasNoEffort(plain.provider) ? null : reasoningEffort,
        }),
    baseUrl: textOrNull(baseUrl),
    region: isBedrock ? textOrNull(region) : null,
    accessKeyId: isBedrock ? textOrNull(accessKeyId) : null,
    ...(apiKey === "" ? {} : { apiKey }),
  };
}
