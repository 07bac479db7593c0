import { Accordion, Anchor, Badge, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { send } from "#web/api/http.ts";
import { t } from "#web/i18n/t.ts";
import { useUrlFilters } from "#web/ui/filters/url-state.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { DevelopersFrame } from "./developers-frame.tsx";
import { listOperations, type OpenApi, type Operation } from "./operations.ts";

const METHOD_COLORS: Record<string, string> = {
  GET: "blue",
  POST: "green",
  PUT: "orange",
  PATCH: "orange",
  DELETE: "red",
};

/** Every operation of the API with a request to copy; the full reference is under /docs. */
export function ReferencePage() {
  const read = useQuery<OpenApi>({
    queryKey: ["openapi"],
    staleTime: Infinity,
    queryFn: ({ signal }) => send("GET", "/openapi.json", { signal }),
  });
  return (
    <DevelopersFrame
      lead={t`Every operation, with a request to copy.`}
      actions={
        <Button component="a" href="/docs" target="_blank" variant="default" rightSection={<Icon name="outgoing" />}>
          {t`Open the full reference`}
        </Button>
      }
    >
      <Loaded read={read}>{(document) => <Operations document={document} />}</Loaded>
    </DevelopersFrame>
  );
}

function Operations({ document }: { document: OpenApi }) {
  const { values, setFilter } = useUrlFilters(["search"]);
  const [wanted, setWanted] = useState(values.search?.[0] ?? "");
  const keep = useDebouncedCallback((text: string) => setFilter("search", [text]), 300);
  const operations = useMemo(() => listOperations(document), [document]);
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = operations.filter(({ text }) => words.every((word) => text.includes(word)));
  const tags = [...new Set(shown.map(({ tag }) => tag))];
  return (
    <Stack>
      <TextInput
        aria-label={t`Search the operations`}
        placeholder={t`Search ${operations.length} operations`}
        leftSection={<Icon name="search" />}
        maw={420}
        value={wanted}
        onChange={(event) => {
          setWanted(event.currentTarget.value);
          keep(event.currentTarget.value);
        }}
      />
      {shown.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t`No operation fits.`}
        </Text>
      )}
      {tags.map((tag) => (
        <section key={tag} aria-label={tag}>
          <Text component="h2" fz="sm" fw={600} m={0} mb={6}>
            {tag}
          </Text>
          <Accordion variant="contained" chevronPosition="left">
            {shown
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <OperationItem key={operation.id} operation={operation} />
              ))}
          </Accordion>
        </section>
      ))}
    </Stack>
  );
}

function OperationItem({ operation }: { operation: Operation }) {
  const { id, method, path, summary, description, tag } = operation;
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="sm" wrap="nowrap" align="baseline">
          <Badge variant="light" color={METHOD_COLORS[method] ?? "gray"} radius="sm" w={64} style={{ flexShrink: 0 }}>
            {method}
          </Badge>
          <Stack gap={0} miw={0}>
            <Text component="span" fz="sm">
              {summary}
            </Text>
            <Text component="span" fz="xs" ff="monospace" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {path}
            </Text>
          </Stack>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {description !== "" && (
            <Text fz="sm" style={{ whiteSpace: "pre-line" }}>
              {description}
            </Text>
          )}
          <SnippetTabs call={operation.call} />
          <Anchor href={`/docs#/${encodeURIComponent(tag)}/${id}`} target="_blank" fz="sm" underline="always">
            {t`Parameters, bodies and answers`}
          </Anchor>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
