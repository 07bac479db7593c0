import {
  Button,
  Group,
  Modal,
  NumberInput,
  PasswordInput,
  Select,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { type Model, MODELS_PATH, PROVIDERS, type Provider } from "./model.ts";

type Values = {
  kind: Model["kind"];
  name: string;
  provider: Provider;
  baseUrl: string;
  model: string;
  apiKey: string;
  temperature: number | "";
  isDefault: boolean;
};

/** Adds a model, or changes one. */
export function ModelDialog({ model, close }: { model: Model | null; close: () => void }) {
  const form = useForm<Values>({ initialValues: toValues(model) });
  const write = useWrite<Model, Values>({
    method: model === null ? "POST" : "PUT",
    path: model === null ? MODELS_PATH : `${MODELS_PATH}/${model.id}`,
    body: (values) => toBody(values, model),
    refreshes: [MODELS_PATH],
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    await write.mutateAsync(values);
    showDone(model === null ? `${values.name} is there. Try it before a call does.` : "Saved.");
    close();
  });
  return (
    <Modal opened onClose={close} size="lg" title={<Text fw={600}>{model === null ? "Add a model" : model.name}</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          {model === null && (
            <SegmentedControl
              aria-label="What it does"
              data={[
                { value: "CHAT", label: "Speaks in calls and chats" },
                { value: "EMBEDDING", label: "Finds by meaning" },
              ]}
              {...form.getInputProps("kind")}
            />
          )}
          <Fields form={form} hasKey={model?.apiKey != null} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              {model === null ? "Add model" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Fields({ form, hasKey }: { form: UseFormReturnType<Values>; hasKey: boolean }) {
  const { kind, provider } = form.getValues();
  const usual = PROVIDERS.find(({ value }) => value === provider);
  const providers = kind === "EMBEDDING" ? PROVIDERS.filter(({ value }) => value === "OPENAI_COMPATIBLE") : PROVIDERS;
  return (
    <>
      <TextInput
        label="Name"
        description="What flows call it."
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select label="Provider" data={providers} allowDeselect={false} {...form.getInputProps("provider")} />
      <TextInput
        label="Model"
        description="The provider's name of it."
        placeholder={kind === "CHAT" ? usual?.model : "text-embedding-3-small"}
        required
        maxLength={200}
        {...form.getInputProps("model")}
      />
      <TextInput
        label="Address"
        description="Empty: the provider's own. For a server of yours, its /v1 address."
        placeholder={usual?.url ?? ""}
        maxLength={2048}
        {...form.getInputProps("baseUrl")}
      />
      <PasswordInput
        label="Key"
        description={
          hasKey ? "One is stored. Leave this empty to keep it." : "Sealed when it is stored, never shown again."
        }
        autoComplete="off"
        maxLength={2048}
        {...form.getInputProps("apiKey")}
      />
      {kind === "CHAT" && (
        <NumberInput
          label="Temperature"
          description="Empty: the provider's own."
          min={0}
          max={2}
          step={0.1}
          {...form.getInputProps("temperature")}
        />
      )}
      <Switch
        label={kind === "CHAT" ? "Flows that name no model speak through it" : "Knowledge is searched with it"}
        {...form.getInputProps("isDefault", { type: "checkbox" })}
      />
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
    isDefault: model?.isDefault ?? false,
  };
}

function toBody({ baseUrl, apiKey, temperature, ...plain }: Values, model: Model | null): object {
  return {
    ...plain,
    ...(model === null ? {} : { kind: model.kind }),
    ...(plain.kind === "EMBEDDING"
      ? { provider: "OPENAI_COMPATIBLE" }
      : { temperature: temperature === "" ? null : temperature }),
    baseUrl: baseUrl.trim() === "" ? null : baseUrl.trim(),
    ...(apiKey === "" ? {} : { apiKey }),
  };
}
