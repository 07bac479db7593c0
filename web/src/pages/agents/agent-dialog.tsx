import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Flow, Page } from "@parley/sdk";
import { useLocation } from "wouter";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { FormFault } from "#web/form/form-fault.tsx";
import { useSubmit } from "#web/form/use-submit.ts";
import { type Agent, AGENTS_PATH } from "./agent.ts";

type Values = { name: string; description: string; flowId: string | null };

/** Makes or changes an agent; of a stored one only what was changed is sent. */
export function AgentDialog({ agent, close }: { agent: Agent | null; close: () => void }) {
  const [, navigate] = useLocation();
  const flows = useRead<Page<Flow>>("/flows", { size: 200 });
  const write = useWrite<Agent, object>({
    method: agent ? "PUT" : "POST",
    path: agent ? `${AGENTS_PATH}/${agent.id}` : AGENTS_PATH,
    refreshes: [AGENTS_PATH],
  });
  const form = useForm<Values>({
    initialValues: { name: agent?.name ?? "", description: agent?.description ?? "", flowId: agent?.flowId ?? null },
  });
  const { isSending, fault, submit } = useSubmit(form, async (values) => {
    const body = { ...values, description: values.description || null };
    const changed = Object.entries(body).filter(([name]) => agent === null || form.isDirty(name));
    const saved = await write.mutateAsync(Object.fromEntries(changed));
    showDone(agent ? "Saved." : `${saved.name} is created.`);
    close();
    if (!agent) navigate(`/agents/${saved.id}`);
  });
  return (
    <Modal opened onClose={close} title={<Text fw={600}>{agent ? "Change the agent" : "Create an agent"}</Text>}>
      <form onSubmit={form.onSubmit(submit)}>
        <Stack>
          <FormFault fault={fault} />
          <TextInput label="Name" required maxLength={200} data-autofocus {...form.getInputProps("name")} />
          <Select
            label="Follows the flow"
            description="Talks of this flow look things up in the agent's knowledge."
            placeholder="None"
            clearable
            searchable
            data={(flows.data?.content ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps("flowId")}
          />
          <Textarea label="Description" autosize minRows={2} maxRows={8} {...form.getInputProps("description")} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              {agent ? "Save" : "Create"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
