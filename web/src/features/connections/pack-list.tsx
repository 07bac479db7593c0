import { Button, Group, List, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { useSubmit } from "#web/ui/form/use-submit.ts";
import { ReadFault } from "#web/ui/load-state.tsx";
import { type Connection, PACKS_PATH, type ToolPack } from "./connection.ts";

/** Cards of the tool packs, each of which can be installed for a connection of its provider. */
export function PackList({ connections }: { connections: Connection[] }) {
  const read = useRead<ToolPack[]>(PACKS_PATH);
  const [chosen, choose] = useState<ToolPack | null>(null);
  const mayWrite = useMay("TOOLS_WRITE");
  const fitting = (pack: ToolPack) =>
    connections.filter(({ provider, state }) => provider === pack.provider && state === "CONNECTED");
  return (
    <>
      <ReadFault read={read} />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {(read.data ?? []).map((pack) => (
          <Card key={pack.name} title={t`${pack.title} tools`}>
            <Stack gap="sm">
              <Text fz="sm">{pack.description}</Text>
              <List fz="xs" c="dimmed" listStyleType="none">
                {pack.tools.map(({ name }) => (
                  <List.Item key={name}>{name}</List.Item>
                ))}
              </List>
              {mayWrite && (
                <Group gap="xs">
                  <Button
                    size="compact-sm"
                    variant="light"
                    aria-label={t`Install the ${pack.title} tools`}
                    disabled={fitting(pack).length === 0}
                    onClick={() => choose(pack)}
                  >
                    {t`Install`}
                  </Button>
                  {fitting(pack).length === 0 && (
                    <Text fz="xs" c="dimmed">
                      {t`Needs a connection that is signed in.`}
                    </Text>
                  )}
                </Group>
              )}
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      {chosen && <InstallDialog pack={chosen} connections={fitting(chosen)} close={() => choose(null)} />}
    </>
  );
}

type Values = { connectionId: string; settings: Record<string, string> };

function InstallDialog(props: { pack: ToolPack; connections: Connection[]; close: () => void }) {
  const { pack, connections, close } = props;
  const settings = Object.fromEntries(pack.settings.map(({ name, default: usual }) => [name, usual ?? ""]));
  const form = useForm<Values>({ initialValues: { connectionId: connections[0]?.id ?? "", settings } });
  const write = useWrite<{ tools: { name: string }[] }, Values>({
    failed: t`The ${pack.title} tools were not installed`,
    method: "POST",
    path: `${PACKS_PATH}/${pack.name}/install`,
    refreshes: ["/tools"],
  });
  const sending = useSubmit(
    form,
    async (values) => {
      const { tools } = await write.mutateAsync(values);
      showDone(t`${tools.length} tools are there. Choose them in a flow.`);
      close();
    },
    { key: `pack ${pack.name}` },
  );
  return (
    <FormDialog title={t`Install ${pack.title} tools`} form={form} sending={sending} close={close} action={t`Install`}>
      <Select
        label={t`Connection`}
        data={connections.map(({ id, name }) => ({ value: id, label: name }))}
        allowDeselect={false}
        {...form.getInputProps("connectionId")}
      />
      {pack.settings.map(({ name, title, description, required }) => (
        <TextInput
          key={name}
          label={title}
          description={description}
          required={required}
          maxLength={500}
          {...form.getInputProps(`settings.${name}`)}
        />
      ))}
      <Text fz="sm" c="dimmed">
        {t`The tools are ordinary ones. Installing again brings them up to date.`}
      </Text>
    </FormDialog>
  );
}
