import {
  type Dispatch,
  type SetStateAction,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useRead } from "#web/api/queries.ts";
import type { ChosenPeople } from "#web/domain/contact/chosen-people.ts";
import { type CsvLine, decodeText, readAllLines } from "#web/domain/job/csv-text.ts";
import { type ColumnMapping, findMappingFault, guessMapping } from "#web/domain/job/mapping.ts";
import { t } from "#web/i18n/t.ts";
import { isSame } from "#web/ui/form/merge-fields.ts";
import { useKeptState } from "#web/ui/form/unsaved.ts";
import { useCallingCodes } from "#web/ui/format/phone.ts";
import { type Contacts, type ContactRules, makeContacts } from "./contacts.ts";
import { readSheetAsCsv } from "./read-sheet.ts";

/** Rows that the API takes in one request. */
const MOST_ROWS = 200_000;
const MOST_BYTES = 40 * 1024 * 1024;
const MOST_COLUMNS = 200;
/** Number of lines used to guess the columns. */
const LOOKED_AT = 50;

/** A file that has been read. */
export interface ContactFile {
  name: string;
  lines: CsvLine[];
  isCut: boolean;
}

/** The file, the mapping of its columns, and the resulting rows. */
export interface ContactList {
  /** Key of the kept input; null: nothing is kept. */
  keptAs: string | null;
  file: ContactFile | null;
  rules: ContactRules;
  /** Null until the file is read and its columns fit. */
  contacts: Contacts | null;
  isReading: boolean;
  fault: string | null;
  readFile: (file: File) => Promise<void>;
  readText: (text: string, name: string) => Promise<void>;
  setRules: (part: Partial<ContactRules>) => void;
  setColumn: (index: number, part: Partial<ColumnMapping>) => void;
  clear: () => void;
}

/** Rules as a person set them; null: the workspace's own country code. */
type GivenRules = Omit<ContactRules, "countryCode"> & { countryCode: string | null };

const NO_RULES: GivenRules = { columns: [], countryCode: null, skipsRepeated: true };

/**
 * Reads a list of contacts from a file or pasted text, and makes rows of it by the mapping of its columns. `chosen`:
 * the initial list. With a key, `keptAs`, the list is there again after its screen was left.
 */
export function useContacts(keptAs: string | null = null, chosen: ChosenPeople | null = null): ContactList {
  const keyOf = (part: string) => keptAs && `${keptAs}/${part}`;
  const [file, setFile] = useKeptState<ContactFile | null>(
    keyOf("file"),
    () => chosen && { name: chosen.name, lines: chosen.lines, isCut: false },
  );
  const [given, setRules] = useKeptState<GivenRules>(keyOf("rules"), () =>
    chosen ? { ...NO_RULES, columns: chosen.columns } : NO_RULES,
  );
  const rules = useCompleteRules(given);
  const { fault, ...reader } = useReader(setFile, setRules);
  const contacts = useMadeContacts(keyOf("made"), file, rules);
  return {
    keptAs,
    file,
    rules,
    contacts,
    ...reader,
    fault: fault ?? (file ? findMappingFault(rules.columns) : null),
    ...changesOf(setRules),
    clear: () => setFile(null),
  };
}

/** Reads a file or a text as a list, and guesses the mapping of its columns. */
function useReader(setFile: (file: ContactFile) => void, setRules: Dispatch<SetStateAction<GivenRules>>) {
  const [isReading, setReading] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  // The last chosen list counts, even if an earlier one takes longer to read.
  const latest = useRef(0);
  const readText = useCallback(
    async (text: string, name: string) => {
      const mine = ++latest.current;
      setReading(true);
      setFault(null);
      try {
        const { lines: all, isCut } = await readAllLines(text, MOST_ROWS + 1);
        if (mine !== latest.current) return;
        const [head, ...lines] = all;
        const problem = findFileFault(head, lines);
        if (!head || problem) return setFault(problem);
        const looked = lines.slice(0, LOOKED_AT).map(({ cells }) => cells);
        // A transition, because a choice for each column is drawn.
        startTransition(() => {
          setRules((before) => ({ ...before, columns: guessMapping(head.cells, looked) }));
          setFile({ name, lines, isCut });
        });
      } finally {
        if (mine === latest.current) startTransition(() => setReading(false));
      }
    },
    [setFile, setRules],
  );
  const readFile = useCallback(
    async (dropped: File) => {
      const problem = findFormatFault(dropped);
      if (problem) return setFault(problem);
      const mine = ++latest.current;
      setReading(true);
      const text = await readWhole(dropped);
      if (mine !== latest.current) return;
      if (text !== null) return readText(text, dropped.name);
      setReading(false);
      setFault(explainUnread(dropped.name));
    },
    [readText],
  );
  return { isReading, fault, readFile, readText };
}

function changesOf(setRules: Dispatch<SetStateAction<GivenRules>>): Pick<ContactList, "setRules" | "setColumn"> {
  return {
    setRules: (part) => setRules((before) => ({ ...before, ...part })),
    setColumn: (index, part) =>
      setRules((before) => ({
        ...before,
        columns: before.columns.map((column, at) => (at === index ? { ...column, ...part } : column)),
      })),
  };
}

/** Completes the rules by the calling code of the only country that the workspace may call, if it is only one. */
function useCompleteRules(given: GivenRules): ContactRules {
  const { countries } = useRead<{ countries: string[] | null }>("").data ?? {};
  const codeOf = useCallingCodes();
  const usual = countries?.length === 1 ? codeOf(countries[0] ?? "") : "";
  return useMemo(() => ({ ...given, countryCode: given.countryCode ?? usual }), [given, usual]);
}

type MadeContacts = { file: ContactFile; rules: ContactRules; contacts: Contacts };

function useMadeContacts(key: string | null, file: ContactFile | null, rules: ContactRules): Contacts | null {
  const [made, setMade] = useKeptState<MadeContacts | null>(key, () => null);
  // Those that were kept are not made anew: their job would no longer count as the one that was sent.
  const first = useRef(made);
  const isReady = file !== null && findMappingFault(rules.columns) === null;
  useEffect(() => {
    if (!file || !isReady) return;
    const kept = first.current;
    if (kept?.file === file && isSame(kept.rules, rules)) return setMade(kept);
    const stop = new AbortController();
    makeContacts(file.lines, rules, stop.signal).then(
      (contacts) => startTransition(() => setMade({ file, rules, contacts })),
      () => undefined,
    );
    return () => stop.abort();
  }, [file, rules, isReady, setMade]);
  // The previous rows stay on the screen until the new ones are made.
  return isReady && made?.file === file ? made.contacts : null;
}

async function readWhole(file: File): Promise<string | null> {
  try {
    if (/\.xlsx$/i.test(file.name)) return await readSheetAsCsv(file);
    return await decodeText(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return null;
  }
}

function explainUnread(name: string): string {
  return /\.xlsx$/i.test(name)
    ? t`The spreadsheet could not be read. Save it as XLSX again, or as CSV, then drop that file.`
    : t`The file could not be read. It may have been moved or changed; choose it again.`;
}

function findFormatFault({ name, size }: File): string | null {
  if (/\.(xls|numbers|ods)$/i.test(name)) {
    return t`This kind of spreadsheet cannot be read. Save it as XLSX or CSV, then drop that file.`;
  }
  if (size > MOST_BYTES) {
    return t`The file is larger than 40 MB. Larger ones are taken by the command line: parley jobs create file.csv`;
  }
  return size === 0 ? t`The file is empty.` : null;
}

function findFileFault(head: CsvLine | undefined, lines: CsvLine[]): string | null {
  if (!head || lines.length === 0) return t`The file needs a line with the columns' names and at least one contact.`;
  if (head.cells.length > MOST_COLUMNS) return t`The file has more than ${MOST_COLUMNS} columns.`;
  return null;
}
