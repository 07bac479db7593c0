import type { TestDatabase } from "../database.ts";

const LINES = ["Yes, that is right.", "One moment, I have to look.", "On Tuesday at ten, please.", "How much is that?"];

/** A node that does not exist, and holds all simulated calls. */
const NODE = "0190aaaa-0000-7000-8000-00000000000f";

const idSql = (kind: number) => `('01900000-0000-7000-8${kind}00-' || lpad(to_hex(i), 12, '0'))::uuid`;
const ROWS = `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country,
    number_class, phone_number_id, contact_name, attempts_made, attempt_id, started_at, answered_at)
  select $1, ${idSql(1)}, '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'DIALING',
         '+4420794' || lpad(i::text, 5, '0'), 'GB', 'MOBILE',
         (select id from phone_numbers where workspace_id = $1 limit 1), 'Caller ' || lpad(i::text, 3, '0'), 1, ${idSql(2)},
         now() - interval '90 seconds', now() - make_interval(secs => 60 + i * 0.1)
    from generate_series(1, $2::int) i`;
const ATTEMPTS = `insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number,
    provider, submitted_at, answered_at)
  select $1, ${idSql(2)}, ${idSql(1)}, 1, 'IN_PROGRESS', (select id from phone_numbers where workspace_id = $1 limit 1),
         '+4420794' || lpad(i::text, 5, '0'), 'SANDBOX', now() - make_interval(secs => 90 + i * 0.1),
         now() - make_interval(secs => 60 + i * 0.1)
    from generate_series(1, $2::int) i`;
const RESULTS = `insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields,
    duration_ms, model_ms, usage, recorded)
  select $1, ${idSql(1)}, '[]', '{}', '{}', 0, '[]', '{}', false from generate_series(1, $2::int) i`;
/** Every third call has a new line, as if all calls had one every three rounds. */
const MONITORS = `update call_results c set monitor = json_build_object(
    'role', case when $3::int % 2 = 0 then 'USER' else 'ASSISTANT' end, 'text', ($4::text[])[1 + (i + $3) % 4] || ' ' || $3::int,
    'latencyMs', 600 + (i * 37 + $3) % 900, 'tone', (array['NEUTRAL', 'POSITIVE', 'NEUTRAL', 'NEGATIVE'])[1 + i % 4],
    'fields', json_build_object('people', $3::text), 'wanted', 4, 'isText', i % 9 = 0)
  from generate_series(1, $2::int) i where c.workspace_id = $1 and c.row_id = ${idSql(1)} and (i + $3) % 3 = 0`;
const LEVELS = `insert into call_levels (workspace_id, node_id, levels)
  select $1, '${NODE}', json_object_agg(${idSql(1)}, substr(md5(i::text || $3::text), 1, 5) || '.' || substr(md5($3::text || i::text), 1, 5))
    from generate_series(1, $2::int) i
  on conflict (workspace_id, node_id) do update set levels = excluded.levels, written_at = clock_timestamp()`;

/**
 * Live calls that no node holds, written as their nodes would write them. The server must have the role `api` alone, or
 * it would take them over.
 */
export class SimulatedCalls implements Disposable {
  readonly #database: TestDatabase;
  readonly #workspaceId: string;
  readonly #count: number;
  #rounds = 0;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<unknown> = Promise.resolve();

  private constructor(database: TestDatabase, workspaceId: string, count: number) {
    this.#database = database;
    this.#workspaceId = workspaceId;
    this.#count = count;
  }

  static async place(database: TestDatabase, workspaceId: string, count: number): Promise<SimulatedCalls> {
    const calls = new SimulatedCalls(database, workspaceId, count);
    for (const text of [ROWS, ATTEMPTS, RESULTS]) await database.query(text, [workspaceId, count]);
    for (let i = 0; i < 3; i++) await calls.speak();
    return calls;
  }

  /** The row of a call, from 1. */
  static rowId(call: number): string {
    return `01900000-0000-7000-8100-${call.toString(16).padStart(12, "0")}`;
  }

  /** A third of the calls has a new line, and all have new levels. */
  async speak(): Promise<void> {
    const round = ++this.#rounds;
    const about = [this.#workspaceId, this.#count, round];
    await this.#database.query(MONITORS, [...about, LINES]);
    await this.#database.query(LEVELS, about);
  }

  /** Lets them speak on, twice a second. */
  start(): void {
    this.#timer = setInterval(() => (this.#work = this.#work.then(() => this.speak())), 500);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  /** Gives one call another last line. */
  async say(call: number, text: string): Promise<void> {
    await this.#database.query(
      `update call_results set monitor = (monitor::jsonb || jsonb_build_object('text', $3::text))::json
        where workspace_id = $1 and row_id = $2`,
      [this.#workspaceId, SimulatedCalls.rowId(call), text],
    );
  }

  /** Raises an alert of one call. */
  async alert(call: number, kind: string): Promise<void> {
    await this.#database.query("insert into call_alerts (workspace_id, row_id, kind) values ($1, $2, $3)", [
      this.#workspaceId,
      SimulatedCalls.rowId(call),
      kind,
    ]);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
