import { Group, NumberInput, Select, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Card } from "#web/ui/card.tsx";
import type { ToolValues } from "./tool-values.ts";

const MODES = [
  { value: "COLD", label: "Cold: at once" },
  { value: "WARM", label: "Warm: after a word" },
  { value: "AGENTIC_WARM", label: "Warm: the agent introduces" },
];
const TARGETS = [
  { value: "PHONE", label: "Phone number" },
  { value: "SIP", label: "SIP address" },
  { value: "FLOW", label: "Another flow" },
];

/** Fields for the destination and manner of a call transfer. */
export function TransferFields({ form }: { form: UseFormReturnType<ToolValues> }) {
  const at = (name: string) => form.getInputProps(`forwardCallConfig.${name}`);
  return (
    <Card title="Transfer">
      <Stack>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select label="To" data={TARGETS} allowDeselect={false} {...at("destinationType")} />
          <TextInput label="Destination" placeholder="+12025550123" required {...at("destination")} />
        </Group>
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select label="Mode" data={MODES} allowDeselect={false} {...at("mode")} />
          <NumberInput label="Let it ring, s" placeholder="30" min={5} max={120} {...at("ringTimeoutSeconds")} />
        </Group>
        <TextInput
          label="Told to the target alone"
          placeholder="A caller about order {{ orderId }}."
          {...at("whisperMessage")}
        />
        <TextInput label="Said when nobody answers" {...at("fallbackMessage")} />
      </Stack>
    </Card>
  );
}
