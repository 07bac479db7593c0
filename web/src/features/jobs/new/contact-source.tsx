import { Alert, Anchor, Button, FileButton, Group, Loader, Stack, Text, Textarea } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { showFault } from "#web/api/undo.tsx";
import { rich } from "#web/i18n/rich.ts";
import { t } from "#web/i18n/t.ts";
import { forgetUnsaved, useKeptState } from "#web/ui/form/unsaved.ts";
import { Icon } from "#web/ui/icon.tsx";
import { saveCsv } from "#web/ui/table/csv.ts";
import { readSample, SAMPLE_NAME } from "./sample.ts";
import type { ContactList } from "./use-contacts.ts";

/** Source of the contacts: a dropped or chosen file, pasted lines, or the sample. */
export function ContactSource({ list }: { list: ContactList }) {
  const key = list.keptAs && `${list.keptAs}/pasted`;
  // Null: nothing is being pasted.
  const [pasted, setPasted] = useKeptState<string | null>(key, () => null);
  const read = (text: string) => {
    if (key !== null) forgetUnsaved(key);
    void list.readText(text, t`pasted lines`);
  };
  const withSample = (use: (csv: string) => unknown) => void readSample().then(use).catch(showFault);
  return (
    <Stack gap="sm">
      {list.fault !== null && (
        <Alert color="red" variant="light" role="alert" icon={<Icon name="alert" />}>
          {list.fault}
        </Alert>
      )}
      {pasted === null ? (
        <DropZone list={list} paste={() => setPasted("")} />
      ) : (
        <PasteBox text={pasted} change={setPasted} isReading={list.isReading} read={read} />
      )}
      <Text fz="sm" c="dimmed">
        {rich`No list at hand? ${(
          <Anchor
            component="button"
            type="button"
            fz="sm"
            onClick={() => withSample((csv) => list.readText(csv, SAMPLE_NAME))}
          >
            {t`Use 20 simulated people`}
          </Anchor>
        )} or ${(
          <Anchor
            component="button"
            type="button"
            fz="sm"
            onClick={() => withSample((csv) => saveCsv(SAMPLE_NAME, csv))}
          >
            {t`download them as CSV`}
          </Anchor>
        )}`}
        {t`. No phone rings and nothing is billed.`}
      </Text>
    </Stack>
  );
}

function DropZone({ list, paste }: { list: ContactList; paste: () => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void list.readFile(file);
    else void list.readText(event.dataTransfer.getData("text/plain"), t`dropped text`);
  };
  return (
    <Stack
      className="drop-zone"
      data-over={isOver || undefined}
      align="center"
      gap="xs"
      px="md"
      py={44}
      ta="center"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {list.isReading ? <Loader size="sm" role="status" aria-label={t`Reading`} /> : <Icon name="upload" size={26} />}
      <Text fw={550}>{t`Drop a list with phone numbers here`}</Text>
      <Text fz="sm" c="dimmed" maw={460}>
        {t`XLSX or CSV, with commas, semicolons or tabs. The first line names the columns; you say next which column is what.`}
      </Text>
      <Group gap="xs" mt={6} justify="center">
        <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onChange={(file) => file && void list.readFile(file)}>
          {(props) => <Button {...props}>{t`Choose file`}</Button>}
        </FileButton>
        <Button variant="default" onClick={paste}>
          {t`Paste lines`}
        </Button>
      </Group>
    </Stack>
  );
}

function PasteBox(props: {
  text: string;
  /** Null: closes the box. */
  change: (text: string | null) => void;
  isReading: boolean;
  read: (text: string) => void;
}) {
  const { text, change, isReading, read } = props;
  return (
    <Stack gap="sm">
      <Textarea
        label={t`Lines`}
        description={t`The first one names the columns, as when copied from a spreadsheet`}
        placeholder={"phone,name\n+12025550100,Ada Lindqvist"}
        autosize
        minRows={8}
        maxRows={16}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        data-autofocus
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 13 } }}
      />
      <Group>
        <Button disabled={text.trim() === ""} loading={isReading} onClick={() => read(text)}>
          {t`Read lines`}
        </Button>
        <Button variant="default" onClick={() => change(null)}>
          {t`Back`}
        </Button>
      </Group>
    </Stack>
  );
}
