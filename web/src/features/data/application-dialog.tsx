import { Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { type Application, APPLICATIONS_PATH } from "./data.ts";

type Values = { name: string; key: string; description: string };

/** Creates or changes an application. */
export function ApplicationDialog({ application, close }: { application: Application | null; close: () => void }) {
  const openMade = useOpenMade();
  const write = useWrite<Application, Based<Application>>({
    failed: t`The application was not saved`,
    method: application ? "PUT" : "POST",
    path: ({ base }) =>
      application ? `${APPLICATIONS_PATH}/${application.id}${ifUnchanged(base)}` : APPLICATIONS_PATH,
    body: ({ body }) => body,
    refreshes: [APPLICATIONS_PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(application) });
  const guard = { stored: application, toValues, path: `${APPLICATIONS_PATH}/${application?.id ?? ""}` };
  const sending = useGuardedSubmit<Application, Values>(form, guard, async (values, base) => {
    const { name, key, description } = values;
    const body = { name, description: description || null, ...(key && !application ? { key } : {}) };
    const saved = await write.mutateAsync({ body, base });
    if (!application) {
      openMade({ path: `/data/${saved.id}`, done: t`${saved.name} is created, with a store of its customers.`, close });
      return saved;
    }
    showDone(t`Saved.`);
    close();
    return saved;
  });
  return (
    <FormDialog
      title={application ? t`Change the application` : t`Create an application`}
      size="md"
      form={form}
      sending={sending}
      close={close}
      action={application ? t`Save` : t`Create`}
    >
      <TextInput label={t`Name`} required maxLength={200} data-autofocus {...form.getInputProps("name")} />
      {!application && (
        <TextInput
          label={t`Key`}
          description={t`Names it in flows; fixed. Empty: made of the name.`}
          placeholder="clinic"
          {...form.getInputProps("key")}
        />
      )}
      <Textarea label={t`Description`} autosize minRows={2} maxRows={8} {...form.getInputProps("description")} />
    </FormDialog>
  );
}

function toValues(application: Application | null): Values {
  return { name: application?.name ?? "", key: "", description: application?.description ?? "" };
}
