/** Source of an entry of the do-not-call ledger. */
export type DoNotCallSource = "STOP_KEYWORD" | "SPOKEN_REFUSAL" | "OPERATOR" | "SANDBOX";

/** A number that is neither called nor written to. */
export interface DoNotCallEntry {
  number: string;
  source: DoNotCallSource;
  note: string | null;
  createdAt: string;
}

/** One page of the ledger. */
export interface DoNotCallPage {
  content: DoNotCallEntry[];
  nextCursor: string | null;
}

/** Numbers to add. */
export interface DoNotCallNumbers {
  numbers: string[];
  note?: string | null;
}

/** The text of a CSV to import. */
export interface DoNotCallImport {
  csv: string;
}

/** Counts of the entries that were new and of those listed already. */
export interface DoNotCallAdded {
  added: number;
  alreadyListed: number;
}

/** Result of an import: its counts, and the lines that were refused. */
export interface DoNotCallImported extends DoNotCallAdded {
  errorCount: number;
  /** The first 100. */
  errors: { line: number; code: "NUMBER" | "NOTE"; message: string }[];
}
