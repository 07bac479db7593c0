import { Alert, Button, Group, Loader, Modal, Paper, Stack, Text } from "@mantine/core";
import type { CallRow, Page } from "@parley/sdk";
import { Link } from "wouter";
import { useRead } from "#web/api/queries.ts";
import { CallStatus } from "#web/domain/call/call-status.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { type Credential, CREDENTIALS_PATH, type Minted } from "./credential.ts";

const LISTEN_MS = 1_000;

/** Shows a new secret, ready to use, the only time it is visible, and waits for its first request. */
export function SecretDialog({ minted, close }: { minted: Minted; close: () => void }) {
  const { apiKey, clientId, clientSecret, credential } = minted;
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={<Text fw={600}>{t`${credential.name} is ready`}</Text>}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="orange" variant="light" icon={<Icon name="alert" />}>
          {t`Copy it now. It is stored as a hash and cannot be shown again.`}
        </Alert>
        {apiKey !== undefined ? (
          <KeyUse apiKey={apiKey} />
        ) : (
          <ClientUse clientId={clientId ?? ""} clientSecret={clientSecret ?? ""} />
        )}
        <FirstCall since={credential.createdAt} close={close} />
        <Group justify="space-between">
          <FirstRequest id={credential.id} />
          <Button variant="default" onClick={close}>
            {t`I have copied it`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function KeyUse({ apiKey }: { apiKey: string }) {
  const body = { customerNumber: "+12025550100", contextData: { crm: "42" } };
  const { origin } = window.location;
  const mcp = `claude mcp add --transport http parley ${origin}/api/mcp --header "X-API-Key: ${apiKey}"`;
  return (
    <>
      <CodeBlock text={apiKey} label={t`API key`} />
      <Text fz="sm">{t`Try it: this calls a simulated person, so no phone rings.`}</Text>
      <SnippetTabs
        apiKey={apiKey}
        call={{
          method: "POST",
          path: "/outbound/calls",
          body,
          command: "call +12025550100 --watch",
          sdk: `client.calls.createAndWait(${JSON.stringify(body)})`,
        }}
        more={[{ name: "MCP", text: mcp }]}
      />
    </>
  );
}

function ClientUse({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const token = [
    `curl -X POST '${window.location.origin}/api/oauth/token'`,
    `  -d grant_type=client_credentials -d client_id='${clientId}' -d client_secret='${clientSecret}'`,
  ].join(" \\\n");
  return (
    <>
      <CodeBlock text={`client_id=${clientId}\nclient_secret=${clientSecret}`} label={t`client id and secret`} />
      <Text fz="sm">{t`Trade them for a token:`}</Text>
      <CodeBlock text={token} label={t`token request`} />
    </>
  );
}

/** Link to the call that the first request placed, as soon as it exists. */
function FirstCall({ since, close }: { since: string; close: () => void }) {
  const read = useRead<Page<CallRow>>("/call-history", { size: 1 }, { refreshMs: LISTEN_MS });
  const call = read.data?.content[0];
  if (call === undefined || Date.parse(call.createdAt) < Date.parse(since)) return null;
  return (
    <Paper withBorder p="sm" role="status">
      <Group justify="space-between">
        <Group gap="xs">
          <CallStatus call={call} />
          <Text fz="sm">{rich`The call to ${<Phone number={call.contactName ?? call.customerNumber} />}`}</Text>
        </Group>
        <Button component={Link} href={`/calls/${call.id}`} onClick={close} leftSection={<Icon name="phone" />}>
          {t`Watch the call`}
        </Button>
      </Group>
    </Paper>
  );
}

function FirstRequest({ id }: { id: string }) {
  const read = useRead<Credential[]>(CREDENTIALS_PATH, undefined, { refreshMs: LISTEN_MS });
  const isUsed = read.data?.some((credential) => credential.id === id && credential.lastUsedAt !== null) ?? false;
  return (
    <Group gap="xs" role="status">
      {isUsed ? <Icon name="check" /> : <Loader type="dots" size="xs" aria-hidden="true" />}
      <Text fz="sm" c={isUsed ? "green" : "dimmed"}>
        {isUsed ? t`The first request has arrived.` : t`Listening for the first request …`}
      </Text>
    </Group>
  );
}
