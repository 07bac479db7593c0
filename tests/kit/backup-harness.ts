import { join } from "node:path";
import type { TestDatabase } from "./database.ts";
import { FakeSystem } from "./fake-system.ts";

/** The secret of `ServerProcess`. */
export const SECRET = "a secret that all nodes share";

/** Result of a command. */
interface Ran {
  code: number;
  out: string;
  err: string;
}

/** The command line of an installation, with its database and a data folder of its own. */
export class Installation implements AsyncDisposable {
  readonly system = new FakeSystem();
  readonly database: TestDatabase;

  constructor(database: TestDatabase, env: Record<string, string> = {}) {
    this.database = database;
    Object.assign(this.system.env, { DATABASE_URL: database.url, PARLEY_SECRET: SECRET, ...env });
  }

  /** Folder of its recordings. */
  get recordings(): string {
    return join(this.system.folder, "recordings");
  }

  /** Runs `parley backup …`. */
  async backup(...args: string[]): Promise<Ran> {
    this.system.out = "";
    this.system.err = "";
    const code = await this.system.run("backup", ...args);
    return { code, out: this.system.out, err: this.system.err };
  }

  /** Ends what it holds; its database is dropped as well. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.system[Symbol.asyncDispose]();
    await this.database.drop();
  }
}

/** Returns rows and a checksum of each table whose rows outlive a crash, computed by the database. */
export async function readChecksums(database: TestDatabase): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' order by c.relname`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await database.query<{ sum: string }>(
      `select count(*) || ' rows, ' || md5(coalesce(string_agg(line, chr(10) order by line), '')) as sum
         from (select row_to_json(t)::text as line from "${name}" t) as lines`,
    );
    found[name] = row?.sum ?? "";
  }
  return found;
}

/** Returns everything that the schema consists of, in words. */
export async function readSchema(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `select 'index ' || indexdef as line from pg_indexes where schemaname = 'public'
     union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
                 from pg_constraint where connamespace = 'public'::regnamespace
     union all select 'trigger ' || pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger where not tgisinternal
     union all select 'trigger of a constraint ' || tgrelid::regclass || ' ' || count(*) || ' ' || tgenabled::text
                 from pg_trigger where tgisinternal group by tgrelid, tgenabled
     union all select 'column ' || table_name || ' ' || column_name || ' ' || data_type || coalesce(column_default, '') ||
                      is_nullable || is_generated from information_schema.columns where table_schema = 'public'
     order by 1`,
  );
  return rows.map(({ line }) => line);
}
