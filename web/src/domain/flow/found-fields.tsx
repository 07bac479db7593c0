import { Group, Stack, Text } from "@mantine/core";
import type { FilledOutput } from "@parley/sdk";
import { Fragment } from "react";
import { OutputBadge } from "#web/domain/output/output-badge.tsx";
import { useFieldTitles } from "#web/domain/output/use-field-titles.ts";
import { t } from "#web/i18n/t.ts";
import { Words } from "#web/ui/words.tsx";

/** Shows the fields extracted in a test, by output. */
export function FoundFields({ outputs }: { outputs: Record<string, FilledOutput> | null }) {
  const titleOf = useFieldTitles();
  const entries = Object.entries(outputs ?? {});
  if (entries.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`Nothing was extracted. A flow with structured outputs fills them when a conversation ends.`}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {entries.map(([name, { value, valid, errors }]) => (
        <section key={name} aria-label={t`Fields of ${name}`}>
          <Group justify="space-between" mb={4}>
            <Text fz="sm" fw={600}>
              {name}
            </Text>
            <OutputBadge filled={{ value, valid }} />
          </Group>
          <dl className="facts">
            {Object.entries(toObject(value)).map(([field, found]) => (
              <Fragment key={field}>
                <dt title={field}>
                  <Words>{titleOf(field)}</Words>
                </dt>
                <dd className="field-value">
                  <Words>{typeof found === "string" ? found : JSON.stringify(found)}</Words>
                </dd>
              </Fragment>
            ))}
          </dl>
          {errors.map((error) => (
            <Text key={error} fz="xs" c="red">
              {error}
            </Text>
          ))}
        </section>
      ))}
    </Stack>
  );
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { value };
}
