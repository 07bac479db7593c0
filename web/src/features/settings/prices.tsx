import { Button, SimpleGrid, Stack, Table, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useRead, useWrite } from "#web/api/queries.ts";
import { showDone } from "#web/api/undo.tsx";
import { useMay } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { DialogForm } from "#web/ui/form/form-dialog.tsx";
import { pickFields } from "#web/ui/form/merge-fields.ts";
import { type Based, useGuardedSubmit } from "#web/ui/form/use-guarded-submit.tsx";
import { Loaded } from "#web/ui/load-state.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import {
  type Billing,
  findPriceFaults,
  KINDS,
  nameKind,
  type PriceValues,
  readPrice,
  toPriceChange,
  toPriceValues,
} from "./balance.ts";

const PATH = "/billing";

/** Unit prices and limits; owners of the installation can change them. */
export function Prices() {
  const read = useRead<Billing>(PATH);
  const mayChange = useMay("INSTALLATION_OWNER");
  const [isEditing, setEditing] = useState(false);
  const edit = mayChange && !isEditing && read.data !== undefined && (
    <Button size="xs" variant="default" onClick={() => setEditing(true)}>
      {t`Change`}
    </Button>
  );
  return (
    <Card title={t`Prices and limits`} actions={edit}>
      <Loaded read={read}>
        {(billing) =>
          isEditing ? <PriceForm billing={billing} close={() => setEditing(false)} /> : <PriceTable billing={billing} />
        }
      </Loaded>
    </Card>
  );
}

function PriceTable({ billing }: { billing: Billing }) {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Limit name={t`Currency`}>{billing.currency}</Limit>
        <Limit name={t`Calls stop at`}>
          {billing.creditLimit === null ? t`no limit` : t`${billing.creditLimit} below zero`}
        </Limit>
        <Limit name={t`Warned below`}>{billing.lowBalanceThreshold ?? t`never`}</Limit>
      </SimpleGrid>
      <BoxedTable label={t`Prices`} verticalSpacing={4}>
        <Table.Tbody>
          {Object.entries(billing.prices).map(([kind, price]) => (
            <PriceRow key={kind} kind={kind} currency={billing.currency} {...readPrice(kind, price)} />
          ))}
        </Table.Tbody>
      </BoxedTable>
    </Stack>
  );
}

function PriceRow(props: { kind: string; amount: string; currency: string; unit: string }) {
  return (
    <Table.Tr>
      <Table.Td>{nameKind(props.kind)}</Table.Td>
      <Table.Td ta="right">
        {props.amount} {props.currency}{" "}
        <Text component="span" fz="xs" c="dimmed">
          / {props.unit}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Limit({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <Text fz="xs" c="dimmed">
        {name}
      </Text>
      <Text fz="sm">{children}</Text>
    </div>
  );
}

function PriceForm({ billing, close }: { billing: Billing; close: () => void }) {
  const form = useForm<PriceValues>({
    initialValues: toPriceValues(billing),
    validate: (values) => findPriceFaults(values, billing),
  });
  const write = useWrite<Billing, Based<Billing, PriceValues>>({
    failed: t`The prices were not saved`,
    method: "PATCH",
    path: PATH,
    body: ({ body, base }) => {
      const change = toPriceChange(body, base ?? billing);
      return { ...change, before: pickFields(base ?? billing, Object.keys(change)) };
    },
    refreshes: [PATH, "/balance"],
  });
  const guard = { stored: billing, toValues: toPriceValues, path: PATH };
  const sending = useGuardedSubmit<Billing, PriceValues>(form, guard, async (body, base) => {
    const saved = await write.mutateAsync({ body, base });
    showDone(t`Saved. New prices hold for what is used from now on.`);
    close();
    return saved;
  });
  return (
    <DialogForm form={form} sending={sending} close={close} action={t`Save`}>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <TextInput
          label={t`Currency`}
          description={t`Three letters.`}
          maxLength={3}
          {...form.getInputProps("currency")}
        />
        <TextInput
          label={t`Credit limit`}
          description={t`Below zero; empty: none.`}
          {...form.getInputProps("creditLimit")}
        />
        <TextInput
          label={t`Warn below`}
          description={t`Empty: never.`}
          {...form.getInputProps("lowBalanceThreshold")}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2, lg: 3 }}>
        {Object.keys(billing.prices).map((kind) => (
          <TextInput
            key={kind}
            label={nameKind(kind)}
            description={t`Per ${KINDS[kind]?.unit ?? t`unit`}; empty: the default.`}
            inputMode="decimal"
            {...form.getInputProps(`prices.${kind}`)}
          />
        ))}
      </SimpleGrid>
    </DialogForm>
  );
}
