import { Stack, Text } from "@mantine/core";
import type { FirstCall } from "@parley/sdk";
import "./opening-words.css";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { formatShare } from "#web/ui/format/format.ts";
import { nameLanguage } from "#web/ui/format/language.ts";

type Opening = FirstCall["openings"][number];

/** Words with which the agent opens the first call, by version, and what is missing in them. */
export function OpeningWords({ openings }: { openings: Opening[] }) {
  return (
    <Stack gap="sm">
      {openings.map((opening) => (
        <div key={opening.version ?? 0}>
          {openings.length > 1 && (
            <Text fz="xs" c="dimmed" mb={4}>
              {rich`Version ${opening.version}, ${formatShare(opening.percent / 100)} of the calls`}
            </Text>
          )}
          <Words opening={opening} />
        </div>
      ))}
    </Stack>
  );
}

function Words({ opening: { text, language, emptyVariables, error } }: { opening: Opening }) {
  return (
    <>
      {text === null ? (
        <Text fz="sm" c="dimmed">
          {t`The model opens in its own words: the flow has no first message.`}
        </Text>
      ) : (
        <blockquote className="opening-words" lang={language}>
          {text}
        </blockquote>
      )}
      <Text fz="xs" c="dimmed" mt={4}>
        {nameLanguage(language)}
      </Text>
      {emptyVariables.length > 0 && (
        <Text fz="sm" c="var(--mantine-color-orange-text)" mt={4}>
          {t`Empty for this person: ${emptyVariables.join(", ")}`}
        </Text>
      )}
      {error !== null && (
        <Text fz="sm" c="var(--mantine-color-red-text)" mt={4}>
          {error}
        </Text>
      )}
    </>
  );
}
