import { Group, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import type { ToolValues } from "./tool-values.ts";

const MODES = [
  { value: "COLD", label: t`Cold: at once` },
  { value: "WARM", label: t`Warm: after a word` },
  { value: "AGENTIC_WARM", label: t`Warm: the agent introduces` },
];
const TARGETS = [
  { value: "PHONE", label: t`Phone number` },
  { value: "SIP", label: t`SIP address` },
  { value: "FLOW", label: t`Another flow` },
];

/** Fields for the destination and manner of a call transfer. */
export function TransferFields({ form }: { form: UseFormReturnType<ToolValues> }) {
  const at = (name: string) => form.getInputProps(`forwardCallConfig.${name}`);
  return (
    <Card title={t`Transfer`}>
      <Stack>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select label={t`To`} data={TARGETS} allowDeselect={false} {...at("destinationType")} />
          <TextInput label={t`Destination`} placeholder="+12025550123" required {...at("destination")} />
        </Group>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select label={t`Mode`} data={MODES} allowDeselect={false} {...at("mode")} />
          <NumberInput label={t`Let it ring, s`} placeholder="30" min={5} max={120} {...at("ringTimeoutSeconds")} />
        </Group>
        <TextInput
          label={t`Told to the target alone`}
          placeholder={t`A caller about order {{ orderId }}.`}
          {...at("whisperMessage")}
        />
        <TextInput label={t`Said when nobody answers`} {...at("fallbackMessage")} />
      </Stack>
    </Card>
  );
}
