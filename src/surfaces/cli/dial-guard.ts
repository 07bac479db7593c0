import type { Parley } from "@parley/sdk";
import { PermissionError } from "@parley/sdk/errors";
import type { ApiSession } from "./api-session.ts";
import { CliError, EXIT } from "./exit-codes.ts";
import type { Run } from "./run.ts";

/** Calls about to be dialled. */
export interface DialPlan {
  /** Number of people. */
  count: number;
  /** True when every number is fictional: those are simulated in every workspace. */
  onlyFictional: boolean;
  /** The calling numbers chosen; none: the workspace's default. */
  from: string[];
  /** --yes was given. */
  confirmed: boolean;
}

/**
 * Asks for confirmation before real people are rung. Needs none where that cannot happen: a SANDBOX workspace,
 * fictional numbers, or only calling numbers of the sandbox. An unknown mode counts as LIVE.
 */
export async function confirmDial(run: Run, session: ApiSession, plan: DialPlan): Promise<void> {
  if (plan.confirmed || plan.onlyFictional || session.mode === "SANDBOX") return;
  if (await callsOnlyFromSandbox(session.client, plan.from)) return;
  const people = plan.count === 1 ? "1 person" : `${plan.count} people`;
  const why = session.mode === "LIVE" ? "This workspace is LIVE" : "This workspace may be LIVE";
  if (!run.system.canAsk) throw new CliError(EXIT.USAGE, `${why}: this may ring ${people}. Add --yes to confirm.`);
  const answer = await run.system.ask(
    `${run.paint("yellow", why)}: this may ring ${people}, at your carrier's price. Go on? [y/N] `,
  );
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(EXIT.ERROR, "Nothing was dialled.");
}

async function callsOnlyFromSandbox(client: Parley, from: string[]): Promise<boolean> {
  try {
    const numbers = await client.phoneNumbers.list();
    const used = from.length > 0 ? numbers.filter((number) => from.includes(number.phoneNumber)) : numbers;
    return used.length > 0 && used.every((number) => number.provider === "SANDBOX");
  } catch (error) {
    if (error instanceof PermissionError) return false;
    throw error;
  }
}
