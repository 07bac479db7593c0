import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { Icon } from "#web/ui/icon.tsx";
import type { FlowFormType } from "./flow-values.ts";

/** Fields for the destinations to which the agent may transfer a call. */
export function TransferSection({ form }: { form: FlowFormType }) {
  const targets = form.getValues().transferTargets;
  const add = () => form.insertListItem("transferTargets", { name: "", description: "", destination: "" });
  return (
    <Card
      title={t`Transfer`}
      actions={
        <Button size="compact-sm" variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add}>
          {t`Add a target`}
        </Button>
      }
    >
      <Stack gap="xs">
        {targets.length === 0 && (
          <Text fz="sm" c="dimmed">
            {t`No transfer targets. A target is a number, a SIP address or a name of your telephone system.`}
          </Text>
        )}
        {targets.map((target, index) => (
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start" className="field-row">
            <TextInput
              aria-label={t`Name of target ${index + 1}`}
              placeholder={t`Name`}
              required
              maxLength={100}
              {...form.getInputProps(`transferTargets.${index}.name`)}
            />
            <TextInput
              aria-label={t`Destination of target ${index + 1}`}
              placeholder="+12025550100"
              required
              maxLength={500}
              {...form.getInputProps(`transferTargets.${index}.destination`)}
            />
            <TextInput
              aria-label={t`When to use target ${index + 1}`}
              placeholder={t`When to hand the call there`}
              maxLength={1_000}
              {...form.getInputProps(`transferTargets.${index}.description`)}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t`Remove ${target.name || t`target ${index + 1}`}`}
              onClick={() => form.removeListItem("transferTargets", index)}
            >
              <Icon name="trash" />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
