import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import "./voices.css";
import { useState } from "react";
import { speaksLanguage } from "#web/domain/flow/languages.ts";
import { t } from "#web/i18n/t.ts";
import { formatMoney } from "#web/ui/format/format.ts";
import { nameLanguage } from "#web/ui/format/language.ts";
import { useVoiceSample } from "./use-voice-sample.ts";
import { nameProvider, searchVoices, type VoiceLibrary, type VoiceProvider } from "./voice-library.ts";
import { VoiceRow } from "./voice-row.tsx";

/** Voices drawn at once; the search finds the others. */
const SHOWN = 60;

interface VoiceDialogProps {
  library: VoiceLibrary;
  /** Id of the flow's voice; empty: the provider's default. */
  chosen: string;
  language: string;
  choose: (id: string) => void;
  close: () => void;
}

/** Library of voices: each can be heard, with its price and the time to its first sound. */
export function VoiceDialog(props: VoiceDialogProps) {
  const { library, close } = props;
  const [first, ...others] = library.providers;
  return (
    <Modal opened onClose={close} title={<Text fw={600}>{t`Choose a voice`}</Text>} size="lg">
      {first ? (
        <Stack>
          <Voices {...props} provider={first} />
          {others.length > 0 && (
            <Text fz="sm" c="dimmed">
              {t`When ${nameProvider(first.provider)} fails, ${others.map(({ provider }) => nameProvider(provider)).join(t`, then `)} speaks with its own default voice. Settings, Speech has the order.`}
            </Text>
          )}
        </Stack>
      ) : (
        <Stack>
          <Text fz="sm">{t`An owner sets up a provider in Settings, Speech. Simulated calls speak without one.`}</Text>
          <ById chosen={props.chosen} choose={props.choose} />
        </Stack>
      )}
    </Modal>
  );
}

function Voices({ library, provider, chosen, language, choose }: VoiceDialogProps & { provider: VoiceProvider }) {
  const [words, setWords] = useState("");
  const [isAny, setAny] = useState(false);
  const sample = useVoiceSample();
  const spoken = language || "en-US";
  const found = searchVoices(provider.voices, words).filter(
    ({ languages }) => isAny || speaksLanguage(languages, spoken),
  );
  const byDefault = { id: "", name: t`The provider's default`, languages: [], description: provider.defaultVoice };
  const price = t`${formatMoney(library.pricePerMinute, library.currency)} a minute`;
  const row = { provider, sample, language: spoken, price, choose, chosen };
  return (
    <>
      <Text fz="sm" c="dimmed">
        {t`${nameProvider(provider.provider)}: every voice costs ${price} of the call.`}
      </Text>
      <Group align="flex-end">
        <TextInput
          label={t`Search`}
          placeholder={t`Name, accent, id`}
          flex={1}
          data-autofocus
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Checkbox
          label={t`Also voices that are not made for ${nameLanguage(spoken)}`}
          pb={8}
          checked={isAny}
          onChange={(event) => setAny(event.currentTarget.checked)}
        />
      </Group>
      {provider.error && (
        <Alert color="orange" variant="light" title={t`The voices could not be listed`}>
          {t`${provider.error.message} A voice can be named by its id.`}
        </Alert>
      )}
      <ul className="plain-list voice-list" aria-label={t`Voices`}>
        {words === "" && <VoiceRow {...row} voice={byDefault} />}
        {found.slice(0, SHOWN).map((voice) => (
          <VoiceRow key={voice.id} {...row} voice={voice} />
        ))}
      </ul>
      {found.length > SHOWN && (
        <Text fz="sm" c="dimmed">
          {t`The first ${SHOWN} of ${found.length}.`}
        </Text>
      )}
      {found.length === 0 && words !== "" && <Text fz="sm">{t`No voice in the list has all of these words.`}</Text>}
      <ById chosen={chosen} choose={choose} />
    </>
  );
}

/** Names a voice by its id, for those that no list has. */
function ById({ chosen, choose }: Pick<VoiceDialogProps, "chosen" | "choose">) {
  const [id, setId] = useState(chosen);
  return (
    <Group align="flex-end" wrap="nowrap">
      <TextInput
        label={t`By its id`}
        description={t`For a voice that is not in the list.`}
        maxLength={200}
        flex={1}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Button variant="default" disabled={id.trim() === chosen} onClick={() => choose(id.trim())}>
        {t`Use this id`}
      </Button>
    </Group>
  );
}
