import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ClaimedRow, isSimulated } from "#src/interactions/dispatch/claim.ts";
import type { CarrierAccountCache } from "#src/numbers/carrier-accounts/carrier-account-cache.ts";
import type { Config } from "#src/platform/config/config.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { Carrier, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { createMissingCarrier } from "#src/telephony/carriers/missing-carrier.ts";
import type { ChaosOptions } from "#src/telephony/carriers/sandbox/chaos.ts";
import { SandboxExchange } from "#src/telephony/carriers/sandbox/exchange.ts";
import { createSandboxCarrier } from "#src/telephony/carriers/sandbox/sandbox-carrier.ts";
import { createRemoteSandboxCarrier } from "#src/telephony/carriers/sandbox/sandbox-client.ts";
import { SANDBOX_NUMBERS } from "#src/telephony/carriers/sandbox/sandbox-numbers.ts";
import { serveSandboxExchange } from "#src/telephony/carriers/sandbox/sandbox-server.ts";
import type { SipTrunkManager } from "./sip.ts";

/** The carriers of a process. */
export interface Carriers {
  /** Returns the carrier of a row's call. */
  carrierOf: (row: ClaimedRow) => Promise<Carrier>;
  sandboxNumbers: unknown;
  close(): Promise<void>;
}

/** Milliseconds that a sandbox carrier in another process may take for one answer. */
const REMOTE_TIMEOUT_MS = 3_000;

/** Opens the sandbox carrier: in this process, or the one at SANDBOX_CARRIER_URL. */
export async function createCarriers(
  config: Config,
  { log, ...others }: OtherCarriers & { log: Log },
  deliver: (event: CarrierEvent) => Promise<void>,
): Promise<Carriers> {
  const sandboxNumbers = SANDBOX_NUMBERS.map((entry) => ({
    number: `+120255501${String(entry.code).padStart(2, "0")}`,
    code: entry.code,
    name: entry.name,
    carrierEvents: entry.line,
    rowResult: entry.outcome,
    shows: entry.shows,
  }));
  if (config.sandboxCarrierUrl) {
    const remote = createRemoteSandboxCarrier({ url: config.sandboxCarrierUrl, timeoutMs: REMOTE_TIMEOUT_MS });
    return { carrierOf: (row) => chooseCarrier(row, remote, others), sandboxNumbers, close: async () => undefined };
  }
  const ledgerPath = join(config.dataDir, "sandbox", "ledger.jsonl");
  const exchange = await SandboxExchange.open({ deliver, ledgerPath, omitsPeople: true, log });
  const carrier = createSandboxCarrier({ exchange });
  return { carrierOf: (row) => chooseCarrier(row, carrier, others), sandboxNumbers, close: () => exchange.close() };
}

/** Carriers of calls that are not simulated. */
interface OtherCarriers {
  accounts: CarrierAccountCache;
  sip: SipTrunkManager;
}

async function chooseCarrier(row: ClaimedRow, sandbox: Carrier, { accounts, sip }: OtherCarriers): Promise<Carrier> {
  if (isSimulated(row)) return sandbox;
  const { provider, workspace_id: workspaceId, carrier_account_id: accountId } = row;
  if (provider === "BYO_SIP") {
    return sip.carrierOf(row).catch((error: unknown) => createMissingCarrier(provider, toError(error).message));
  }
  const account = accountId === null ? null : await accounts.open(workspaceId, accountId);
  if (account) return account.carrier;
  const message = `The ${provider} account of ${row.from_number} is not there, or its secrets do not open: run parley carrier list.`;
  return createMissingCarrier(provider, message);
}

/** `parley sandbox-carrier`: the simulated telephone network as a process of its own, for tests of crashes. */
export async function serveSandboxCarrier(args: string[], untilStopped: () => Promise<void>): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      host: { type: "string", default: "127.0.0.1" },
      port: { type: "string", default: "8090" },
      ledger: { type: "string", default: "sandbox-ledger.jsonl" },
      chaos: { type: "string" },
      fsync: { type: "boolean", default: false },
      unforgiving: { type: "boolean", default: false },
    },
  });
  const chaos = values.chaos ? (JSON.parse(values.chaos) as ChaosOptions) : undefined;
  const { host, port, ledger, fsync, unforgiving: isUnforgiving } = values;
  const served = await serveSandboxExchange({
    host,
    port: Number(port),
    ledgerPath: ledger,
    fsync,
    isUnforgiving,
    ...(chaos ? { chaos } : {}),
  });
  process.stdout.write(`Sandbox carrier at ${served.url}\n`);
  await untilStopped();
  await served.close();
}
