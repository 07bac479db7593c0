import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = new URL("../../../migrations/", import.meta.url).pathname;

/** First line of a file that older versions cannot run beside: it removes what they use. */
const CONTRACT = /^-- contract\b/m;
/** First line of a file of `create index concurrently` and `drop index concurrently`, which no transaction may hold. */
const CONCURRENT = /^-- outside a transaction\b/m;

/** A step of the schema. */
export interface Migration {
  number: number;
  file: string;
  text: string;
  /**
   * EXPAND adds, so servers of the version before go on beside it. CONTRACT removes what they use: they are refused from
   * then on.
   */
  phase: "EXPAND" | "CONTRACT";
  /** True when its statements run outside a transaction, one by one. */
  isConcurrent: boolean;
}

/** Reads all steps, in their order. */
export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map((file) => toMigration(file, readFileSync(join(FOLDER, file), "utf8")));
}

/** Reads the marks of a file. */
export function toMigration(file: string, text: string): Migration {
  return {
    number: Number(file.slice(0, 4)),
    file,
    text,
    phase: CONTRACT.test(text) ? "CONTRACT" : "EXPAND",
    isConcurrent: CONCURRENT.test(text),
  };
}

/** A statement that builds or drops an index while others write. */
export interface IndexStatement {
  text: string;
  action: "create" | "drop";
  index: string;
}

const INDEX_STATEMENT = /^(create|drop)(?: unique)? index concurrently (?:if (?:not )?exists )?([a-z_0-9]+)\b/i;

/** Splits a file that runs outside a transaction; throws for any other statement in it. */
export function readIndexStatements({ file, text }: Pick<Migration, "file" | "text">): IndexStatement[] {
  const bare = text.replaceAll(/--.*$/gm, "");
  const statements = bare.split(";").map((statement) => statement.trim().replaceAll(/\s+/g, " "));
  return statements.filter(Boolean).map((statement) => {
    const [, action = "", index = ""] = INDEX_STATEMENT.exec(statement) ?? [];
    if (!index) throw new Error(`${file} may only create or drop indexes concurrently, not: ${statement}`);
    return { text: statement, action: action.toLowerCase() as "create" | "drop", index };
  });
}
