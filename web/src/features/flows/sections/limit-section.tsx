import { SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FigureField } from "./figure-field.tsx";
import type { FlowFormType } from "./flow-values.ts";

const FIGURES = [
  { path: "turnTaking.endOfTurnMs", label: t`Pause that ends a turn`, unit: "ms", usual: 500, min: 200, max: 1_500 },
  {
    path: "turnTaking.bargeInMs",
    label: t`Speech that interrupts the agent`,
    unit: "ms",
    usual: 300,
    min: 100,
    max: 2_000,
  },
  { path: "ringTimeoutSeconds", label: t`Let it ring for`, unit: "s", usual: 30, min: 5, max: 120 },
  { path: "maxDurationSeconds", label: t`Longest call`, unit: "s", usual: 600, min: 10, max: 7_200 },
  { path: "silenceTimeoutSeconds", label: t`Longest silence`, unit: "s", usual: 10, min: 2, max: 120 },
  { path: "limits.maxTurns", label: t`Turns of the agent`, usual: 60, min: 1, max: 500 },
  { path: "limits.maxToolCalls", label: t`Calls of tools`, usual: 50, min: 0, max: 1_000 },
  { path: "limits.maxModelTokens", label: t`Model tokens`, usual: 500_000, min: 1_000, max: 10_000_000 },
  { path: "limits.maxHistoryTokens", label: t`Tokens of history`, usual: 24_000, min: 500, max: 1_000_000 },
  { path: "memory.earlierSessions", label: t`Past sessions to recall`, usual: 0, min: 0, max: 20 },
];

/** Fields for timing, limits and recording; an empty field means the default that it shows. */
export function LimitSection({ form }: { form: FlowFormType }) {
  return (
    <Card title={t`Timing, limits and recording`}>
      <Stack>
        <SimpleGrid cols={{ base: 2, sm: 3 }}>
          {FIGURES.map((figure) => (
            <FigureField key={figure.path} form={form} {...figure} />
          ))}
          <TextInput
            label={t`Cost of a session`}
            placeholder={t`no limit`}
            inputMode="decimal"
            {...form.getInputProps("limits.maxCost")}
          />
        </SimpleGrid>
        <Switch
          label={t`Record calls`}
          description={t`Both sides, as two channels.`}
          {...form.getInputProps("recordingEnabled", { type: "checkbox" })}
        />
        <Switch
          label={t`Call back after an interruption`}
          description={t`Once, a minute after the server had to be stopped during a call.`}
          {...form.getInputProps("callBackInterrupted", { type: "checkbox" })}
        />
      </Stack>
    </Card>
  );
}
