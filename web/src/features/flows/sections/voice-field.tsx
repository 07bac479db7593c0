import { Button, Group, Input, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { formatMilliseconds, formatMoney } from "#web/ui/format/format.ts";
import type { FlowFormType } from "./flow-values.ts";
import { nameProvider, nameVoice, type VoiceLibrary, VOICES_PATH } from "./voice-library.ts";

const VoiceDialog = lazy(async () => ({ default: (await import("./voice-dialog.tsx")).VoiceDialog }));

/** Field for the voice: shows its name, provider, price and latency, and opens the library. */
export function VoiceField({ form }: { form: FlowFormType }) {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMay("FLOWS_WRITE");
  const { voiceId, language } = form.getValues();
  const { data: library } = useRead<VoiceLibrary>(VOICES_PATH);
  const fault = form.errors.voiceId;
  return (
    <Input.Wrapper
      label={t`Voice`}
      labelElement="div"
      description={library ? describeFirst(library) : "…"}
      {...(fault === undefined ? {} : { error: fault })}
    >
      <Group gap="xs" mt={5}>
        <Text fz="sm" fw={500} truncate>
          <bdi>{library ? nameVoice(library, voiceId) : voiceId}</bdi>
        </Text>
        {mayChange && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t`Choose a voice`}
          </Button>
        )}
      </Group>
      <Suspense fallback={null}>
        {isOpen && library && (
          <VoiceDialog
            library={library}
            chosen={voiceId}
            language={language}
            choose={(id) => {
              form.setFieldValue("voiceId", id);
              setOpen(false);
            }}
            close={() => setOpen(false)}
          />
        )}
      </Suspense>
    </Input.Wrapper>
  );
}

function describeFirst({ providers, pricePerMinute, currency }: VoiceLibrary): string {
  const [first] = providers;
  if (!first) return t`No provider of speech is set up: only simulated calls can be spoken.`;
  const price = t`${formatMoney(pricePerMinute, currency)} a minute`;
  const pace = first.firstSoundMs === null ? "" : t`, first sound after ${formatMilliseconds(first.firstSoundMs)}`;
  return `${nameProvider(first.provider)}, ${price}${pace}`;
}
