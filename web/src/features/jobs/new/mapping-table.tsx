import { Group, Select, Table, Text, TextInput } from "@mantine/core";
import { type ColumnMapping, FIELDS, type Target } from "#web/domain/job/mapping.ts";
import { t } from "#web/i18n/t.ts";
import { Icon } from "#web/ui/icon.tsx";
import { Phone } from "#web/ui/phone.tsx";
import { BoxedTable } from "#web/ui/table/scroll-box.tsx";
import { Words } from "#web/ui/words.tsx";
import type { ContactList } from "./use-contacts.ts";

const TARGETS = [
  { group: t`Contact`, items: FIELDS.map(({ value, label }) => ({ value: value as string, label })) },
  {
    group: t`Other`,
    items: [
      { value: "VARIABLE", label: t`Agent variable` },
      { value: "IGNORE", label: t`Leave out` },
    ],
  },
];

/** Table to choose the target of each column of the file. */
export function MappingTable({ list }: { list: ContactList }) {
  return (
    <BoxedTable className="mapping" label={t`Columns of the file`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={{ base: 110, sm: 180 }}>{t`Column`}</Table.Th>
          <Table.Th className="wide-only">{t`Example`}</Table.Th>
          <Table.Th>{t`Becomes`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.rules.columns.map((column, index) => (
          <MappingRow key={index} column={column} change={(part) => list.setColumn(index, part)} />
        ))}
      </Table.Tbody>
    </BoxedTable>
  );
}

function MappingRow({ column, change }: { column: ColumnMapping; change: (part: Partial<ColumnMapping>) => void }) {
  const { header, samples, target, variable } = column;
  return (
    <Table.Tr>
      <Table.Td>
        <Text component={Words} fz="sm" fw={550} className="breaks" lineClamp={2}>
          {header}
        </Text>
      </Table.Td>
      <Table.Td className="wide-only">
        <Text fz="sm" c="dimmed" className="breaks" lineClamp={2}>
          {samples.length === 0 && t`empty`}
          {samples.map((sample, index) => (
            <span key={index}>
              {index > 0 && " · "}
              {target === "customerNumber" ? <Phone number={sample} /> : <Words>{sample}</Words>}
            </span>
          ))}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs">
          <Select
            size="xs"
            aria-label={t`What ${header} is`}
            data={TARGETS}
            allowDeselect={false}
            value={target}
            onChange={(next) => change({ target: (next ?? "IGNORE") as Target })}
            w={{ base: 150, sm: 190 }}
          />
          {target === "VARIABLE" && (
            <TextInput
              size="xs"
              aria-label={t`Name of the variable for ${header}`}
              leftSection={<Icon name="code" size={13} />}
              value={variable}
              maxLength={200}
              onChange={(event) => change({ variable: event.currentTarget.value })}
              w={{ base: 150, sm: 190 }}
            />
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
