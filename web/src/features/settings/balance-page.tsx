import { Alert, Button, Code, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useRead } from "#web/api/queries.ts";
import { useMay, useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { formatMoney } from "#web/ui/format/format.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import type { Balance } from "./balance.ts";
import { Ledger } from "./ledger.tsx";
import { Prices } from "./prices.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { TopUps } from "./top-ups.tsx";
import { UsageSums } from "./usage-sums.tsx";

const TopUpDialog = lazy(async () => ({ default: (await import("./top-up-dialog.tsx")).TopUpDialog }));

/** Page of the balance, the usage by kind, and the prices. */
export function BalancePage() {
  const read = useRead<Balance>("/balance", undefined, { refreshMs: 15_000 });
  const mayTopUp = useMay("INSTALLATION_OWNER");
  const [isPaying, setPaying] = useState(false);
  return (
    <SettingsFrame
      title={t`Balance and prices`}
      lead={t`An internal budget. Calls stop when it is used up; Parley bills nothing.`}
      actions={
        mayTopUp && (
          <Button leftSection={<Icon name="plus" />} onClick={() => setPaying(true)}>
            {t`Top up`}
          </Button>
        )
      }
    >
      <Stack>
        <Loaded read={read}>{(balance) => <Figures balance={balance} />}</Loaded>
        <UsageSums />
        <Prices />
        <TopUps />
        <Ledger />
      </Stack>
      <Suspense fallback={null}>
        {isPaying && <TopUpDialog currency={read.data?.currency ?? "USD"} close={() => setPaying(false)} />}
      </Suspense>
    </SettingsFrame>
  );
}

function Figures({ balance }: { balance: Balance }) {
  const { mode, id } = useWorkspace();
  const mayTopUp = useMay("INSTALLATION_OWNER");
  const money = (amount: string) => formatMoney(amount, balance.currency);
  return (
    <Stack>
      {balance.lowBalance && (
        <Alert color="orange" variant="light" title={t`The balance is low`} icon={<Icon name="alert" />}>
          {mayTopUp ? t`Top it up before calls stop.` : t`Ask an owner of the installation to top it up, or run `}
          {!mayTopUp && <Code>parley workspace top-up {id}</Code>}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, lg: 4 }}>
        <Figure name={t`Balance`} value={money(balance.balance)}>
          {balance.unlimited
            ? t`No limit is set: calls never stop for it.`
            : t`Calls stop when ${money(balance.availableCredit ?? "0")} more is used.`}
        </Figure>
        <Figure name={t`On the line now`} value={money(balance.pending)}>
          {t`billed when the calls end`}
        </Figure>
        <Figure name={t`Billed in all`} value={money(balance.billedTotal)}>
          {t`${money(balance.toppedUpTotal)} topped up`}
        </Figure>
        <Figure name={t`Simulated`} value={money(balance.simulatedTotal)}>
          {mode === "SANDBOX" ? t`what it would have cost; nothing is billed` : t`of sandbox numbers, never billed`}
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Group gap={2}>
        <Text fz="sm" c="dimmed" w="100%">
          {name}
        </Text>
        <Text fz={22} fw={620} className="figures" style={{ overflowWrap: "anywhere" }}>
          {value}
        </Text>
      </Group>
      <Text fz="xs" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}
