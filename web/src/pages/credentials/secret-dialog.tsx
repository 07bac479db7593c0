import { Alert, Button, Group, Loader, Modal, Stack, Text } from "@mantine/core";
import { useRead } from "#web/api/queries.ts";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { SnippetTabs } from "#web/ui/snippet-tabs.tsx";
import { type Credential, CREDENTIALS_PATH, type Minted } from "./credential.ts";

const LISTEN_MS = 2_000;

/** Shows a secret the one time it can be seen, ready to be used, and waits for its first request. */
export function SecretDialog({ minted, close }: { minted: Minted; close: () => void }) {
  const { apiKey, clientId, clientSecret, credential } = minted;
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={<Text fw={600}>{credential.name} is ready</Text>}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert color="orange" variant="light" icon={<Icon name="alert" />}>
          Copy it now. It is stored as a hash and cannot be shown again.
        </Alert>
        {apiKey !== undefined ? (
          <KeyUse apiKey={apiKey} />
        ) : (
          <ClientUse clientId={clientId ?? ""} clientSecret={clientSecret ?? ""} />
        )}
        <Group justify="space-between">
          <FirstRequest id={credential.id} />
          <Button onClick={close}>I have copied it</Button>
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
      <CodeBlock text={apiKey} label="API key" />
      <Text fz="sm">Try it: this calls a simulated person, so no phone rings.</Text>
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
      <CodeBlock text={`client_id=${clientId}\nclient_secret=${clientSecret}`} label="client id and secret" />
      <Text fz="sm">Trade them for a token:</Text>
      <CodeBlock text={token} label="token request" />
    </>
  );
}

function FirstRequest({ id }: { id: string }) {
  const read = useRead<Credential[]>(CREDENTIALS_PATH, undefined, { refreshMs: LISTEN_MS });
  const isUsed = read.data?.some((credential) => credential.id === id && credential.lastUsedAt !== null) ?? false;
  return (
    <Group gap="xs" role="status">
      {isUsed ? <Icon name="check" /> : <Loader type="dots" size="xs" aria-hidden="true" />}
      <Text fz="sm" c={isUsed ? "green" : "dimmed"}>
        {isUsed ? "The first request has arrived." : "Listening for the first request …"}
      </Text>
    </Group>
  );
}
