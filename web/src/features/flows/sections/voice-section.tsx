import { Autocomplete, Select, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { Card } from "#web/ui/card.tsx";
import { FigureField } from "./figure-field.tsx";
import type { FlowFormType } from "./flow-values.ts";

const LANGUAGES = [
  "en-US",
  "en-GB",
  "de-DE",
  "es-ES",
  "es-MX",
  "fr-FR",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "pt-BR",
  "sv-SE",
  "tr-TR",
];

/** Fields for the voice, the turn-taking and the voicemail action. */
export function VoiceSection({ form }: { form: FlowFormType }) {
  return (
    <Card title="Voice and language">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Autocomplete
            label="Language"
            description="As BCP 47, such as en-US."
            data={LANGUAGES}
            {...form.getInputProps("language")}
          />
          <TextInput
            label="Voice"
            description="By the speech provider's id."
            placeholder="the provider's default"
            maxLength={200}
            {...form.getInputProps("voiceId")}
          />
          <Select
            label="Channel"
            description="What it is written for."
            data={channels(form.getValues().channelMode)}
            allowDeselect={false}
            {...form.getInputProps("channelMode")}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <FigureField
            form={form}
            path="turnTaking.endOfTurnMs"
            label="Pause that ends a turn"
            unit="ms"
            usual={500}
            min={200}
            max={1_500}
          />
          <FigureField
            form={form}
            path="turnTaking.bargeInMs"
            label="Speech that interrupts the agent"
            unit="ms"
            usual={300}
            min={100}
            max={2_000}
          />
        </SimpleGrid>
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
        label="When a voicemail answers"
        data={[
          { value: "", label: "Hang up (default)" },
          { value: "HANG_UP", label: "Hang up" },
          { value: "LEAVE_MESSAGE", label: "Leave a message" },
        ]}
        allowDeselect={false}
        maw={340}
        {...form.getInputProps("voicemailConfig.action")}
      />
      {action === "LEAVE_MESSAGE" && (
        <Textarea
          label="Message for the voicemail"
          description="A template. Empty: the first message."
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
    { value: "", label: "Calls and chats" },
    { value: "VOICE", label: "Calls" },
    { value: "CHAT", label: "Chats" },
  ];
  return known.some(({ value }) => value === current) ? known : [...known, { value: current, label: current }];
}
