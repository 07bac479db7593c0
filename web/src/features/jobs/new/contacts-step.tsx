import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { t } from "#web/i18n/t.ts";
import { Card } from "#web/ui/card.tsx";
import { FormFault } from "#web/ui/form/form-fault.tsx";
import { formatNumber } from "#web/ui/format/format.ts";
import { Words } from "#web/ui/words.tsx";
import { ContactSource } from "./contact-source.tsx";
import { type Fact, Facts } from "./facts.tsx";
import { LineFaults } from "./line-faults.tsx";
import { MappingTable } from "./mapping-table.tsx";
import type { ContactFile, ContactList } from "./use-contacts.ts";

/** Step for the list of people: its source, its columns, and the lines that cannot be called. */
export function ContactsStep({ list }: { list: ContactList }) {
  if (!list.file) return <ContactSource list={list} />;
  return (
    <Stack>
      <FileHead file={list.file} clear={list.clear} />
      <FormFault fault={list.fault} />
      <Card title={t`Columns`} padded={false}>
        <MappingTable list={list} />
      </Card>
      <Group align="flex-start" gap="xl">
        <TextInput
          label={t`Country code for numbers without one`}
          placeholder="+1"
          description={t`Put before numbers that do not begin with +`}
          value={list.rules.countryCode}
          maxLength={5}
          onChange={(event) => list.setRules({ countryCode: event.currentTarget.value })}
          w={{ base: "100%", xs: 290 }}
        />
        <Checkbox
          mt={{ base: 0, xs: 26 }}
          label={t`Call each number once`}
          description={t`Leaves out lines whose number came before`}
          checked={list.rules.skipsRepeated}
          onChange={(event) => list.setRules({ skipsRepeated: event.currentTarget.checked })}
        />
      </Group>
      <ContactFacts list={list} />
      {list.contacts && <LineFaults title={t`Lines that cannot be called`} faults={list.contacts.faults} />}
    </Stack>
  );
}

function FileHead({ file, clear }: { file: ContactFile; clear: () => void }) {
  return (
    <Group justify="space-between">
      <Text fz="sm" className="breaks">
        <Words>
          <b>{file.name}</b>
        </Words>{" "}
        <Text component="span" fz="sm" c="dimmed">
          {t`${formatNumber(file.lines.length)} lines`}
          {file.isCut && t`; the file has more, which are not taken`}
        </Text>
      </Text>
      <Button size="compact-sm" variant="default" onClick={clear}>
        {t`Take another list`}
      </Button>
    </Group>
  );
}

function ContactFacts({ list }: { list: ContactList }) {
  const { contacts } = list;
  if (!contacts) return null;
  const facts: Fact[] = [{ label: t`People to call`, value: formatNumber(contacts.rows.length) }];
  if (contacts.faults.length > 0)
    facts.push({ label: t`Lines that cannot be called`, value: formatNumber(contacts.faults.length), color: "red" });
  if (contacts.repeated > 0)
    facts.push({
      label: list.rules.skipsRepeated ? t`Repeated, left out` : t`Repeated`,
      value: formatNumber(contacts.repeated),
      color: "orange",
    });
  if (contacts.tidied > 0) facts.push({ label: t`Numbers rewritten`, value: formatNumber(contacts.tidied) });
  return <Facts facts={facts} />;
}
