import { Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { formatDecimal } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { FaultNote, LoadingBars } from "#web/ui/load-state.tsx";
import { AGENTS_PATH, type Hit } from "./agent.ts";

const HITS = 5;

/** Tests the knowledge base: shows the passages that an agent would get. */
export function SearchCard({ agentId }: { agentId: string }) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const read = useRead<{ results: Hit[] }>(
    `${AGENTS_PATH}/${agentId}/knowledge-base/search`,
    { q: asked, limit: HITS },
    { enabled: asked !== "" },
  );
  return (
    <Card title={t`Try a search`}>
      <Stack>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const next = text.trim();
            if (next === asked) void read.refetch();
            else setAsked(next);
          }}
        >
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              label={t`What a caller would ask`}
              placeholder={t`When are you open on Sundays?`}
              flex={1}
              maxLength={1_000}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" leftSection={<Icon name="search" />} disabled={text.trim() === ""}>
              {t`Search`}
            </Button>
          </Group>
        </form>
        {asked === "" ? (
          <Text fz="sm" c="dimmed">
            {t`Shows the passages that the agent is given, the best first.`}
          </Text>
        ) : (
          <Hits read={read} />
        )}
      </Stack>
    </Card>
  );
}

function Hits({ read }: { read: { data: { results: Hit[] } | undefined; error: unknown } }) {
  if (read.error) return <FaultNote error={read.error} />;
  if (!read.data) return <LoadingBars count={4} />;
  if (read.data.results.length === 0) {
    return (
      <Text fz="sm" role="status">
        {t`Nothing found. Other words may help, or a source that tells it.`}
      </Text>
    );
  }
  return (
    <Stack gap="sm" role="status">
      {read.data.results.map((hit) => (
        <Passage key={`${hit.itemId}-${hit.position}`} hit={hit} />
      ))}
    </Stack>
  );
}

function Passage({ hit }: { hit: Hit }) {
  const where = [...hit.headings, hit.page === null ? null : t`page ${hit.page}`].filter(Boolean).join(" › ");
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text fz="sm" fw={600} dir="auto" truncate>
          {hit.title}
        </Text>
        <Text fz="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {t`score ${formatDecimal(hit.score, 3)}`}
        </Text>
      </Group>
      {where && (
        <Text fz="xs" c="dimmed">
          {where}
        </Text>
      )}
      <Text fz="sm" mt={4} dir="auto" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }} lineClamp={8}>
        {hit.text}
      </Text>
    </Paper>
  );
}
