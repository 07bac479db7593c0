import { Alert, Button, Group, List, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConsoleWrite } from "#web/api/console-queries.ts";
import { sessionQuery } from "#web/api/session.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CodeBlock } from "#web/ui/code-block.tsx";
import { useConfirm } from "#web/ui/confirm.tsx";
import { formatName } from "#web/ui/format/format.ts";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { ScimTokens } from "./scim-tokens.tsx";
import { type IdentityProvider, type ProviderProbe, PROVIDERS_PATH } from "./sign-on.ts";

/** One identity provider: what to enter there, its settings, its groups' roles and its SCIM tokens. */
export function ProviderCard({ provider, edit }: { provider: IdentityProvider; edit: () => void }) {
  const [probe, setProbe] = useState<ProviderProbe | null>(null);
  const test = useConsoleWrite<ProviderProbe>({
    failed: t`The test did not begin`,
    method: "POST",
    path: `${PROVIDERS_PATH}/${provider.id}/test`,
  });
  const remove = useRemove(provider);
  return (
    <Card
      title={provider.name}
      actions={
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="default"
            loading={test.isPending}
            onClick={() => void test.mutateAsync().then(setProbe).catch(showFault)}
          >
            {t`Test connection`}
          </Button>
          <Button size="compact-sm" variant="default" aria-label={t`Change ${provider.name}`} onClick={edit}>
            {t`Change`}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={t`Remove ${provider.name}`}
            onClick={() => void remove()}
          >
            {t`Remove`}
          </Button>
        </Group>
      }
    >
      <Stack>
        {probe && <ProbeResult probe={probe} />}
        <Settings provider={provider} />
        <GroupRoles provider={provider} />
        <ScimTokens provider={provider} />
      </Stack>
    </Card>
  );
}

function ProbeResult({ probe }: { probe: ProviderProbe }) {
  return (
    <Alert role="status" color={probe.ok ? "green" : "red"} variant="light" title={probe.message}>
      {probe.notes.length > 0 && (
        <List size="sm">
          {probe.notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

function Settings({ provider }: { provider: IdentityProvider }) {
  const { issuer, clientId, domains, createsAccounts, linksByEmail, refusesPasswords } = provider;
  return (
    <Stack gap="xs">
      <dl className="facts facts-wide">
        <dt>{t`Issuer`}</dt>
        <dd>{issuer}</dd>
        <dt>{t`Client ID`}</dt>
        <dd>{clientId}</dd>
        <dt>{t`E-mail domains`}</dt>
        <dd>{domains.join(", ") || t`none: nobody gets an account`}</dd>
        <dt>{t`First sign-in`}</dt>
        <dd>{createsAccounts ? t`makes an account` : t`needs an account that SCIM made`}</dd>
        <dt>{t`Accounts that exist`}</dt>
        <dd>{linksByEmail ? t`linked by a verified e-mail address` : t`never linked by e-mail address`}</dd>
        <dt>{t`Passwords`}</dt>
        <dd>{refusesPasswords ? t`off for these domains` : t`work as well`}</dd>
      </dl>
      <Text fz="sm">{t`Enter these at the provider, as redirect address, sign-out address and SCIM base address:`}</Text>
      <CodeBlock text={[provider.redirectUrl, provider.signOutUrl, provider.scimUrl].join("\n")} label={t`addresses`} />
    </Stack>
  );
}

function GroupRoles({ provider: { groupRoles, name } }: { provider: IdentityProvider }) {
  const { data: session } = useQuery(sessionQuery);
  const nameOf = (id: string) => session?.workspaces.find((one) => one.id === id)?.name ?? id;
  if (groupRoles.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t`No group gives a role: people enter a workspace when somebody invites them.`}
      </Text>
    );
  }
  return (
    <BoxedTable label={t`Roles of groups at ${name}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Group`}</Table.Th>
          <Table.Th>{t`Workspace`}</Table.Th>
          <Table.Th>{t`Role`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groupRoles.map(({ group, workspaceId, role }) => (
          <Table.Tr key={`${workspaceId} ${group}`}>
            <Table.Td>{group}</Table.Td>
            <Table.Td>{nameOf(workspaceId)}</Table.Td>
            <Table.Td>{formatName(role)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

function useRemove({ id, name }: IdentityProvider): () => Promise<void> {
  const ask = useConfirm();
  const write = useConsoleWrite<void>({
    failed: t`The provider was not removed`,
    method: "DELETE",
    path: `${PROVIDERS_PATH}/${id}`,
    refreshes: PROVIDERS_PATH,
  });
  return async () => {
    const isSure = await ask({
      title: t`Remove ${name}?`,
      body: t`Sessions that it opened end now, its groups' roles are taken away, and its SCIM tokens stop. Accounts stay.`,
      action: t`Remove provider`,
      isDangerous: true,
    });
    if (!isSure) return;
    await write.mutateAsync().then(() => showDone(t`${name} is removed.`), showFault);
  };
}
