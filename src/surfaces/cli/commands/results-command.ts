import type { Results, ResultsCsvQuery, ResultsGetQuery } from "@parley/sdk";
import { type Command, Option } from "commander";
import { openApi } from "#src/surfaces/cli/api-session.ts";
import { parseCount } from "#src/surfaces/cli/option-parsers.ts";
import type { Run } from "#src/surfaces/cli/run.ts";
import { renderTable, show } from "#src/surfaces/cli/table.ts";
import { addBoardCommands } from "./board-commands.ts";

const TABLES = ["funnel", "hours", "fields", "versions", "numbers", "outcomes", "reasons", "tools"] as const;

interface Options {
  job?: string;
  from?: string;
  to?: string;
  timeZone?: string;
  flow?: string;
  flowVersion?: number;
  number?: string;
  channel?: "OUTBOUND" | "INBOUND" | "WEB";
  goal?: string;
  csv?: (typeof TABLES)[number];
}

/** Adds `results`, and `results boards list|show`. */
export function addResultsCommand(program: Command, run: Run): void {
  const results = program
    .command("results")
    .description("what calls came to: people and machines, success, fields, versions, cost")
    .option("--job <id>", "of one call job")
    .option("--from <day>", "first day, YYYY-MM-DD; default: 30 days up to the last")
    .option("--to <day>", "last day; default: today")
    .option("--time-zone <zone>", "IANA zone of days and hours; default: UTC")
    .option("--flow <apiId>", "of one flow")
    .option("--flow-version <n>", "of one version of it", parseCount)
    .option("--number <id>", "of one phone number of yours")
    .addOption(new Option("--channel <channel>", "of one channel").choices(["OUTBOUND", "INBOUND", "WEB"]))
    .option("--goal <field=value>", "the field value that counts as success, such as attending=true")
    .addOption(new Option("--csv <table>", "write one table as CSV").choices(TABLES))
    .action((options: Options) => printResults(run, options));
  addBoardCommands(results, run, printFound);
}

function toQuery(options: Options): ResultsGetQuery {
  const split = options.goal?.indexOf("=") ?? -1;
  const goal = options.goal ?? "";
  const query = {
    jobId: options.job,
    from: options.from,
    to: options.to,
    timeZone: options.timeZone,
    flowApiId: options.flow,
    flowVersion: options.flowVersion,
    phoneNumberId: options.number,
    channel: options.channel,
    goalField: options.goal === undefined ? undefined : goal.slice(0, split === -1 ? undefined : split),
    // Without a value the API says that one is needed.
    goalValue: split === -1 ? undefined : goal.slice(split + 1),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as ResultsGetQuery;
}

async function printResults(run: Run, options: Options): Promise<void> {
  const query = toQuery(options);
  if (options.csv !== undefined) {
    const { results } = (await openApi(run)).client;
    await run.system.writeOut(await results.csv({ ...query, table: options.csv } as ResultsCsvQuery));
    return;
  }
  await printFound(run, query);
}

async function printFound(run: Run, query: ResultsGetQuery): Promise<void> {
  const found = await (await openApi(run)).client.results.get(query);
  await run.print(found, renderResults(found));
  if (found.waiting > 0) run.hint(`${found.waiting} calls are still being added: ask again in a few seconds.`);
}

function renderResults(found: Results): string {
  const { funnel } = found;
  const share = (count: number) => (funnel.calls === 0 ? "" : `${Math.round((count / funnel.calls) * 100)} %`);
  const steps: [string, number][] = [
    ["calls that are over", funnel.calls],
    ["dialled", funnel.dialled],
    ["answered by a machine", funnel.answeredByMachine],
    ["answered by a person", funnel.answeredByPerson],
    ["talked", funnel.talked],
    ["succeeded", funnel.succeeded],
  ];
  const fields = found.fields.map(({ field, type, filled, values, numbers }) => [
    field,
    type,
    String(filled),
    numbers === null
      ? values
          .slice(0, 5)
          .map(({ value, count }) => `${value}: ${count}`)
          .join(", ")
      : `median ${numbers.median}, mean ${Number(numbers.mean.toFixed(3))}, ${numbers.min} to ${numbers.max}`,
  ]);
  return [
    renderTable(
      ["STEP", "CALLS", "SHARE"],
      steps.map(([name, count]) => [name, String(count), share(count)]),
    ),
    `Cost of a success: ${funnel.costPerSuccess === null ? "none yet" : `${show(funnel.costPerSuccess)} ${found.currency}`}`,
    ...(fields.length > 0 ? [renderTable(["FIELD", "TYPE", "FILLED", "VALUES"], fields)] : []),
    ...(found.tools.length > 0
      ? [
          renderTable(
            ["TOOL", "CALLS", "FAILED"],
            found.tools.map(({ tool, calls, failed }) => [tool, String(calls), String(failed)]),
          ),
        ]
      : []),
    ...(found.askedForHuman > 0 ? [`Asked for a human, in vain: ${found.askedForHuman}`] : []),
    ...found.verdicts.map(({ flowApiId, words }) => `${flowApiId}: ${words}`),
  ].join("\n\n");
}
