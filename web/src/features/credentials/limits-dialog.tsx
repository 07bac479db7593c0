import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { type Based, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { type Credential, CREDENTIALS_PATH, readNetworks } from "./credential.ts";
import { NetworksField } from "./networks-field.tsx";

type Values = { expiresOn: string; allowedAddresses: string };

/** Changes when a credential expires and from where it is accepted, from its next request on. */
export function LimitsDialog({ credential, close }: { credential: Credential; close: () => void }) {
  const form = useForm<Values>({ initialValues: toValues(credential) });
  const write = useWrite<Credential, Based<Credential, Values>>({
    failed: t`The limits of ${credential.name} were not saved`,
    method: "PUT",
    path: `${CREDENTIALS_PATH}/${credential.id}/limits`,
    body: ({ body, base }) => ({
      expiresAt: toTime(body.expiresOn, base ?? credential),
      allowedAddresses: readNetworks(body.allowedAddresses),
      before: { expiresAt: base?.expiresAt, allowedAddresses: base?.allowedAddresses },
    }),
    refreshes: [CREDENTIALS_PATH],
  });
  const find = (all: Credential[]) => all.find(({ id }) => id === credential.id);
  const guard = { stored: credential, toValues, path: CREDENTIALS_PATH, find, keptAs: `limits ${credential.id}` };
  const sending = useGuardedSubmit<Credential, Values>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    showDone(t`Saved. It holds from the next request on.`);
    close();
    return saved;
  });
  return (
    <FormDialog title={t`Limits of ${credential.name}`} form={form} sending={sending} close={close} action={t`Save`}>
      <TextInput
        type="date"
        label={t`Expires on`}
        description={t`It is accepted until the end of that day. Empty: it never expires.`}
        {...form.getInputProps("expiresOn")}
      />
      <NetworksField {...form.getInputProps("allowedAddresses")} />
    </FormDialog>
  );
}

function toValues({ expiresAt, allowedAddresses }: Credential): Values {
  return {
    expiresOn: expiresAt === null ? "" : dayOf(expiresAt),
    allowedAddresses: (allowedAddresses ?? []).join("\n"),
  };
}

/** The stored time while its day stays, so that saving other fields does not move it. */
function toTime(day: string, { expiresAt }: Credential): string | null {
  if (day === "") return null;
  return expiresAt !== null && dayOf(expiresAt) === day ? expiresAt : new Date(`${day}T23:59:59`).toISOString();
}

function dayOf(time: string): string {
  const at = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
