import { Select, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useFlowChoices } from "#web/domain/flow/use-flow-choices.ts";
import { t } from "#web/i18n/t.ts";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { type Based, ifUnchanged, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { useOpenMade } from "#web/ui/use-open-made.ts";
import { type Agent, AGENTS_PATH } from "./agent.ts";

type Values = { name: string; description: string; flowId: string | null };

/** Creates or changes an agent; for a stored one, only changed fields are sent. */
export function AgentDialog({ agent, close }: { agent: Agent | null; close: () => void }) {
  const openMade = useOpenMade();
  const flows = useFlowChoices();
  const write = useWrite<Agent, Based<Agent>>({
    failed: t`The knowledge base was not saved`,
    method: agent ? "PUT" : "POST",
    path: ({ base }) => (agent ? `${AGENTS_PATH}/${agent.id}${ifUnchanged(base)}` : AGENTS_PATH),
    body: ({ body }) => body,
    refreshes: [AGENTS_PATH],
  });
  const form = useForm<Values>({ initialValues: toValues(agent) });
  const guard = { stored: agent, toValues, path: `${AGENTS_PATH}/${agent?.id ?? ""}` };
  const sending = useGuardedSubmit<Agent, Values>(form, guard, async (values, base) => {
    const body = { ...values, description: values.description || null };
    const changed = Object.entries(body).filter(([name]) => agent === null || form.isDirty(name));
    const saved = await write.mutateAsync({ body: Object.fromEntries(changed), base });
    if (!agent) {
      openMade({ path: `/agents/${saved.id}`, done: t`${saved.name} is created.`, close });
      return saved;
    }
    showDone(t`Saved.`);
    close();
    return saved;
  });
  return (
    <FormDialog
      title={agent ? t`Change the knowledge base` : t`New knowledge base`}
      size="md"
      form={form}
      sending={sending}
      close={close}
      action={agent ? t`Save` : t`Create`}
    >
      <TextInput label={t`Name`} required maxLength={200} data-autofocus {...form.getInputProps("name")} />
      <Select
        label={t`Used by the flow`}
        description={t`Calls and chats of this flow look things up in it.`}
        placeholder={t`None`}
        clearable
        searchable
        data={flows}
        {...form.getInputProps("flowId")}
      />
      <Textarea label={t`Description`} autosize minRows={2} maxRows={8} {...form.getInputProps("description")} />
    </FormDialog>
  );
}

function toValues(agent: Agent | null): Values {
  return { name: agent?.name ?? "", description: agent?.description ?? "", flowId: agent?.flowId ?? null };
}
