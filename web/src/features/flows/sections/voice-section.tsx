import { Select, SimpleGrid, Stack, Textarea } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import type { FlowFormType } from "./flow-values.ts";
import { LanguageField } from "./language-field.tsx";
import { VoiceField } from "./voice-field.tsx";

/** Fields for language, voice, channel and the voicemail action. */
export function VoiceSection({ form }: { form: FlowFormType }) {
  return (
    <Card title={t`Voice and language`}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <LanguageField form={form} />
          <Select
            label={t`Channel`}
            description={t`What it is written for.`}
            data={channels(form.getValues().channelMode)}
            allowDeselect={false}
            {...form.getInputProps("channelMode")}
          />
        </SimpleGrid>
        <VoiceField form={form} />
        <Voicemail form={form} />
      </Stack>
    </Card>
  );
}

function Voicemail({ form }: { form: FlowFormType }) {
  const { action } = form.getValues().voicemailConfig;
  return (
    <>
      <Select
        label={t`When a voicemail answers`}
        data={[
          { value: "", label: t`Hang up (default)` },
          { value: "HANG_UP", label: t`Hang up` },
          { value: "LEAVE_MESSAGE", label: t`Leave a message` },
        ]}
        allowDeselect={false}
        maw={340}
        {...form.getInputProps("voicemailConfig.action")}
      />
      {action === "LEAVE_MESSAGE" && (
        <Textarea
          label={t`Message for the voicemail`}
          description={t`A template. Empty: the first message.`}
          autosize
          minRows={2}
          maxLength={2_000}
          {...form.getInputProps("voicemailConfig.message")}
        />
      )}
    </>
  );
}

function channels(current: string) {
  const known = [
    { value: "", label: t`Calls and chats` },
    { value: "VOICE", label: t`Calls` },
    { value: "CHAT", label: t`Chats` },
  ];
  return known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }];
}
