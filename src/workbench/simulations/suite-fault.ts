/** A fault of a suite. */
export interface SuiteFaultDetail {
  /** Place in the document, such as `scenarios[0].expect.outcome`; empty for the document itself. */
  path: string;
  /** 1-based; null where the suite did not come as text. */
  line: number | null;
  column: number | null;
  message: string;
}

/** A suite that cannot be run, with all its faults. */
export class SuiteFault extends Error {
  readonly code = "SUITE_INVALID";
  readonly faults: SuiteFaultDetail[];

  constructor(where: string, faults: SuiteFaultDetail[]) {
    super(faults.map((fault) => describeFault(where, fault)).join("\n"));
    this.name = "SuiteFault";
    this.faults = faults;
  }
}

function describeFault(where: string, { path, line, column, message }: SuiteFaultDetail): string {
  const place = line === null ? where : `${where}:${line}:${column ?? 1}`;
  return `${place} ${path === "" ? message : `${path} ${message}`}`;
}
