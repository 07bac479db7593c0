import { Accordion, Group, Stack, Text } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { formatMilliseconds } from "#web/ui/format/format.ts";
import type { Exchange } from "./tool.ts";

/** The requests of a test run with their responses. */
export function ExchangeList({ exchanges }: { exchanges: Exchange[] }) {
  if (exchanges.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`No HTTP request left.`}
      </Text>
    );
  }
  return (
    <Accordion variant="contained" defaultValue="0">
      {exchanges.map((exchange, index) => (
        <Accordion.Item key={index} value={String(index)}>
          <Accordion.Control>
            <Group gap="xs" wrap="nowrap">
              <Text component="span" fz="sm" fw={600} c={isGood(exchange) ? "green" : "red"}>
                {exchange.status ?? t`No answer`}
              </Text>
              <Text component="span" fz="sm" truncate>
                {exchange.method} {exchange.url}
              </Text>
              <Text component="span" fz="xs" c="dimmed" ml="auto" style={{ whiteSpace: "nowrap" }}>
                {formatMilliseconds(exchange.durationMs)}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <CodeBlock text={requestText(exchange)} label={t`Request`} maxHeight={240} />
              <CodeBlock text={responseText(exchange)} label={t`Response`} maxHeight={300} />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function isGood({ status }: Exchange): boolean {
  return status !== null && status < 400;
}

function requestText({ method, url, requestHeaders, requestBody }: Exchange): string {
  return [`${method} ${url}`, ...headerLines(requestHeaders), ...(requestBody ? ["", requestBody] : [])].join("\n");
}

function responseText({ status, responseHeaders, responseBody, error }: Exchange): string {
  if (status === null) return error ?? t`No answer arrived.`;
  return [`HTTP ${status}`, ...headerLines(responseHeaders), ...(responseBody ? ["", responseBody] : [])].join("\n");
}

function headerLines(headers: Record<string, string>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}
