import { Anchor, Code, Grid, Group, Stack, Tabs, Text } from "@mantine/core";
import { Link } from "wouter";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { DevelopersFrame } from "./developers-frame.tsx";
import { mcpClients } from "./mcp-clients.ts";

const CALL = { customerNumber: "+12025550100", contextData: { crm: "42" } };

/** Page with instructions to connect programs and assistants to the workspace. */
export function ConnectPage() {
  const { origin } = window.location;
  return (
    <DevelopersFrame lead={t`How your code, your terminal and your assistant reach this workspace.`}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack>
            <Card title={t`Place a call from code`}>
              <Stack gap="sm">
                <Text fz="sm" c="dimmed">
                  {rich`A simulated person answers +1 202 555 0100, so no phone rings. You need an ${(
                    <Anchor component={Link} href="/credentials" fz="sm" underline="always">
                      {t`API key`}
                    </Anchor>
                  )} as ${<Code>PARLEY_API_KEY</Code>}.`}
                </Text>
                <SnippetTabs
                  call={{
                    method: "POST",
                    path: "/outbound/calls",
                    body: CALL,
                    command: "call +12025550100 --watch",
                    sdk: `client.calls.createAndWait(${JSON.stringify(CALL)})`,
                  }}
                />
              </Stack>
            </Card>
            <Addresses origin={origin} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Assistants origin={origin} />
        </Grid.Col>
      </Grid>
    </DevelopersFrame>
  );
}

function Addresses({ origin }: { origin: string }) {
  return (
    <Card title={t`Addresses`}>
      <dl className="facts facts-wide">
        <dt>{"API"}</dt>
        <dd>
          <Code>{origin}/api/external/v1</Code>
        </dd>
        <dt>{"MCP"}</dt>
        <dd>
          <Code>{origin}/api/mcp</Code>
        </dd>
        <dt>{t`OAuth tokens`}</dt>
        <dd>
          <Code>{origin}/api/oauth/token</Code>
        </dd>
        <dt>{"OpenAPI"}</dt>
        <dd>
          <Anchor href="/openapi.json" target="_blank" fz="sm" underline="always">
            {`${origin}/openapi.json`}
          </Anchor>
        </dd>
        <dt>{t`Reference`}</dt>
        <dd>
          <Anchor href="/docs" target="_blank" fz="sm" underline="always">
            {`${origin}/docs`}
          </Anchor>
        </dd>
      </dl>
    </Card>
  );
}

function Assistants({ origin }: { origin: string }) {
  const clients = mcpClients(origin);
  return (
    <Card title={t`Connect an assistant (MCP)`}>
      <Stack gap="sm">
        <Text fz="sm" c="dimmed">
          {t`It can place calls, run jobs, read transcripts and change flows: as much as the key that you give it may do.`}
        </Text>
        <Tabs defaultValue={clients[0]?.name ?? ""} keepMounted={false}>
          <Tabs.List mb="sm">
            {clients.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {clients.map(({ name, where, text }) => (
            <Tabs.Panel key={name} value={name}>
              <Stack gap="xs">
                <Group gap={6}>
                  <Text fz="sm">{where}</Text>
                </Group>
                <CodeBlock text={text} label={t`${name} settings`} />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
        <Text fz="xs" c="dimmed">
          {rich`Put your key where ${<Code>YOUR_API_KEY</Code>} stands, or let ${<Code>npx parley mcp install</Code>} write the settings.`}
        </Text>
      </Stack>
    </Card>
  );
}
