import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone, showFault } from "#web/api/undo.tsx";
import { useWorkspace } from "#web/api/workspace.tsx";
import { useCarrierProviders } from "#web/domain/number/carrier-providers.ts";
import { providerLabel } from "#web/domain/number/number.ts";
import { plural, t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Facts } from "#web/ui/facts.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { RowMenu } from "#web/ui/row-menu.tsx";
import { StatusBadge } from "#web/ui/status-badge.tsx";
import { Time } from "#web/ui/time.tsx";
import { useRemoval } from "#web/ui/use-removal.ts";
import { ACCOUNTS_PATH, type CarrierAccount, type CheckedAccount, webhooksOf } from "./carrier.ts";

const AccountDrawer = lazy(async () => ({ default: (await import("./account-drawer.tsx")).AccountDrawer }));

/** List of the carrier accounts; a sandbox workspace has none. */
export function CarrierList() {
  const { mode } = useWorkspace();
  const read = useRead<CarrierAccount[]>(ACCOUNTS_PATH);
  const [edited, setEdited] = useState<CarrierAccount | "new" | null>(null);
  if (mode === "SANDBOX") {
    return (
      <Card>
        <EmptyState icon="link" title={t`A sandbox workspace needs no carrier`} docs="/docs">
          {t`Its calls are simulated, whatever number they come from. To reach real phones, make a LIVE workspace and add an account with a carrier there, or a SIP trunk.`}
        </EmptyState>
      </Card>
    );
  }
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setEdited("new")}>
      {t`Add account`}
    </Button>
  );
  return (
    <>
      <Loaded read={read}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Card>
              <EmptyState icon="link" title={t`No carrier yet`} action={add} docs="/docs">
                {t`Add an account with a carrier: its keys are checked there, then sealed.`}
              </EmptyState>
            </Card>
          ) : (
            <Stack>
              <Group justify="flex-end">{add}</Group>
              <SimpleGrid cols={{ base: 1, md: 2 }}>
                {accounts.map((account) => (
                  <AccountCard key={account.id} account={account} edit={() => setEdited(account)} />
                ))}
              </SimpleGrid>
            </Stack>
          )
        }
      </Loaded>
      <Suspense fallback={null}>
        {edited !== null && <AccountDrawer account={edited === "new" ? null : edited} close={() => setEdited(null)} />}
      </Suspense>
    </>
  );
}

function AccountCard({ account, edit }: { account: CarrierAccount; edit: () => void }) {
  const check = useWrite<CheckedAccount>({
    failed: t`The account was not checked`,
    method: "POST",
    path: `${ACCOUNTS_PATH}/${account.id}/check`,
    refreshes: [ACCOUNTS_PATH, "/phone-numbers"],
  });
  const remove = useRemoval<CarrierAccount>({
    path: ({ id }) => `${ACCOUNTS_PATH}/${id}`,
    name: ({ label, provider }) => label || providerLabel(provider),
    warning: t`Its keys are deleted here; at the carrier nothing changes.`,
    refreshes: [ACCOUNTS_PATH],
    texts: {
      action: t`Remove`,
      title: (name) => t`Remove ${name}?`,
      failed: (name) => t`${name} was not removed`,
      done: (name) => t`${name} is removed.`,
    },
  });
  const ask = () =>
    void check.mutateAsync().then(({ check: { kind, message } }) => {
      if (kind === "WORKS") showDone(message);
      else
        showFault(new Error(message), kind === "REFUSED" ? t`The carrier refuses it` : t`The carrier was not reached`);
    }, showFault);
  return (
    <Card
      title={
        <Group gap="sm">
          {account.label || providerLabel(account.provider)}
          <StatusBadge status={account.status} />
        </Group>
      }
      actions={
        <Group gap={6}>
          <Button size="compact-sm" variant="default" loading={check.isPending} onClick={ask}>
            {t`Check`}
          </Button>
          <RowMenu
            label={t`Actions for ${account.label || account.provider}`}
            actions={[
              { label: t`Edit`, icon: "edit", run: edit },
              { label: t`Remove`, icon: "trash", isDangerous: true, run: () => void remove(account) },
            ]}
          />
        </Group>
      }
    >
      <AccountFacts account={account} />
    </Card>
  );
}

function AccountFacts({ account }: { account: CarrierAccount }) {
  const carriers = useCarrierProviders().data ?? [];
  return (
    <Stack>
      {account.statusMessage && (
        <Text fz="sm" c="red">
          {account.statusMessage}
        </Text>
      )}
      <Facts
        facts={[
          { label: t`Carrier`, value: providerLabel(account.provider) },
          ...Object.entries(account.settings).map(([label, value]) => ({ label, value })),
          {
            label: t`Pace`,
            value: plural(account.callsPerSecond, "{n} call a second", "{n} calls a second"),
          },
          { label: t`Numbers`, value: account.phoneNumbers },
          { label: t`Checked`, value: <Time at={account.checkedAt} ago /> },
        ]}
      />
      {webhooksOf(account, carriers, window.location.origin).map(({ label, url }) => (
        <Group key={url} gap={4} wrap="nowrap">
          <Text fz="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {label}: {url}
          </Text>
          <CopyButton text={url} label={t`Copy ${label}`} />
        </Group>
      ))}
      <Text fz="xs" c="dimmed">
        {t`Webhooks of calls and messages are pointed here when a number is added.`}
      </Text>
    </Stack>
  );
}
