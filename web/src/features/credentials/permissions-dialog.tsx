import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { type Based, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { type Credential, CREDENTIALS_PATH } from "./credential.ts";
import { PermissionBoxes } from "./permission-boxes.tsx";

type Values = { permissions: string[] };

/** Changes a credential's permissions, from its next request on. */
export function PermissionsDialog({ credential, close }: { credential: Credential; close: () => void }) {
  const form = useForm<Values>({ initialValues: toValues(credential) });
  const write = useWrite<Credential, Based<Credential, Values>>({
    failed: t`The permissions of ${credential.name} were not saved`,
    method: "PUT",
    path: `${CREDENTIALS_PATH}/${credential.id}/permissions`,
    body: ({ body, base }) => ({ ...body, before: { permissions: base?.permissions } }),
    refreshes: [CREDENTIALS_PATH],
  });
  const find = (all: Credential[]) => all.find(({ id }) => id === credential.id);
  const guard = { stored: credential, toValues, path: CREDENTIALS_PATH, find, keptAs: `permissions ${credential.id}` };
  const sending = useGuardedSubmit<Credential, Values>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    showDone(t`Saved. It holds from the next request on.`);
    close();
    return saved;
  });
  return (
    <FormDialog title={t`What ${credential.name} may do`} form={form} sending={sending} close={close} action={t`Save`}>
      <PermissionBoxes {...form.getInputProps("permissions")} value={form.getValues().permissions} />
    </FormDialog>
  );
}

function toValues({ permissions }: Credential): Values {
  return { permissions };
}
