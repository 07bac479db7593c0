import { t } from "#web/i18n/t.ts";

/** Fields that a column can fill, besides a variable of its own name. */
export const FIELDS = [
  { value: "customerNumber", label: t`Phone number` },
  { value: "contactName", label: t`Contact name` },
  { value: "contactEmail", label: t`Contact e-mail` },
  { value: "externalId", label: t`External ID` },
  { value: "timeZone", label: t`Time zone` },
  { value: "priority", label: t`Priority (0 to 1000)` },
  { value: "contextData", label: t`Context data (JSON)` },
] as const;

/** Target of a column: a contact's field, a variable for the agent, or nothing. */
export type Target = (typeof FIELDS)[number]["value"] | "VARIABLE" | "IGNORE";

/** A column of the file and its target. */
export interface ColumnMapping {
  header: string;
  /** First non-empty cells of the column. */
  samples: string[];
  target: Target;
  /** Name of the variable for the agent. */
  variable: string;
}

const GUESSES: Record<string, Target> = {
  customernumber: "customerNumber",
  phonenumber: "customerNumber",
  phone: "customerNumber",
  number: "customerNumber",
  mobile: "customerNumber",
  mobilephone: "customerNumber",
  tel: "customerNumber",
  telephone: "customerNumber",
  cell: "customerNumber",
  contactname: "contactName",
  name: "contactName",
  fullname: "contactName",
  contactemail: "contactEmail",
  email: "contactEmail",
  emailaddress: "contactEmail",
  externalid: "externalId",
  id: "externalId",
  customerid: "externalId",
  timezone: "timeZone",
  priority: "priority",
  contextdata: "contextData",
};

const SAMPLES = 3;
const LONGEST_SAMPLE = 60;
const LONGEST_NAME = 200;
const PHONE = /^\+?[\d\s().\-/]{7,22}$/;

/** Guesses the target of each column by its header. When no header means a phone number, its cells decide. */
export function guessMapping(header: string[], rows: string[][]): ColumnMapping[] {
  const taken = new Set<Target>();
  const columns = header.map((name, index): ColumnMapping => {
    const key = name.toLowerCase().replaceAll(/[\s_.-]/g, "");
    const guess = GUESSES[key];
    const target = guess !== undefined && !taken.has(guess) ? guess : "VARIABLE";
    taken.add(target);
    const cells = rows.map((cells) => cells[index]?.trim() ?? "").filter((cell) => cell !== "");
    const isEmpty = name.trim() === "";
    return {
      header: isEmpty ? t`Column ${index + 1}` : name.trim().slice(0, LONGEST_NAME),
      samples: cells.slice(0, SAMPLES).map((cell) => cell.slice(0, LONGEST_SAMPLE)),
      target: isEmpty && cells.length === 0 ? "IGNORE" : target,
      variable: toVariable(isEmpty ? `column_${index + 1}` : name),
    };
  });
  if (!taken.has("customerNumber")) {
    const likely = columns.find(({ samples }) => samples.length > 0 && samples.every((cell) => PHONE.test(cell)));
    if (likely) likely.target = "customerNumber";
  }
  return columns;
}

/** A header as the name of a variable that a prompt can use: `First name` is `first_name`. */
export function toVariable(header: string): string {
  const name = header
    .normalize("NFKD")
    .trim()
    .replaceAll(/[^\p{Letter}\p{Number}_]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase()
    .slice(0, LONGEST_NAME - 1);
  return name === "" ? "column" : /^\d/.test(name) ? `_${name}` : name;
}

/** Returns the fault of the mapping as a whole; null when rows can be made. */
export function findMappingFault(columns: ColumnMapping[]): string | null {
  const targets = columns.map(({ target }) => target).filter((target) => target !== "VARIABLE" && target !== "IGNORE");
  if (!targets.includes("customerNumber")) return t`Say which column holds the phone number.`;
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice) return t`Two columns are the ${FIELDS.find(({ value }) => value === twice)?.label ?? twice}.`;
  const names = columns.filter(({ target }) => target === "VARIABLE").map(({ variable }) => variable);
  if (names.some((name) => name.trim() === "")) return t`Every variable needs a name.`;
  const same = names.find((name, index) => names.indexOf(name) !== index);
  return same === undefined ? null : t`Two columns become the variable ${same}.`;
}
