import { createHash } from "node:crypto";
import type { Executor } from "#src/platform/db/database.ts";
import { staleError } from "#src/platform/http/precondition.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { DEFAULT_ATTEMPTS_PER_DAY, type PersonPace } from "#src/tenancy/compliance/person-pace.ts";
import { assertOpensEverywhere, DEFAULT_CALLING_WINDOW } from "./default-window.ts";
import {
  findWorkspace,
  insertWorkspace,
  listWorkspaces,
  lockWorkspace,
  updateWorkspace,
  type WorkspaceRow,
} from "./store.ts";

/** Mode of a workspace, fixed when it is made. SANDBOX workspaces never connect to a carrier. */
export type WorkspaceMode = "SANDBOX" | "LIVE";

/** Token bucket of each credential of a workspace. */
export interface RateLimit {
  capacity: number;
  refill: number;
  periodSeconds: number;
}

export interface Workspace extends PersonPace {
  id: string;
  name: string;
  mode: WorkspaceMode;
  /** Speed of the sandbox's clock, never of a carrier: 1 is real time, "instant" does not wait. */
  sandboxSpeed: number | "instant";
  rateLimit: RateLimit;
  defaultFlowId: string | null;
  defaultPhoneNumberId: string | null;
  /** ISO 3166 codes that may be dialled; null: all (only calls that stay in the sandbox). */
  countries: string[] | null;
  timeZone: string;
  /** Window for calls without one of their own; null: any hour. SANDBOX workspaces ignore it. */
  callingWindow: CallingWindow | null;
  /** Days until recordings are deleted; null: the server's own limit applies. */
  recordingRetentionDays: number | null;
  /** Days from the end of calls and chats until their transcripts and collected data are deleted; null: never. */
  conversationRetentionDays: number | null;
  /** True when only people with a second factor may enter. */
  requiresSecondFactor: boolean;
  /** The longest life of new credentials in days; null: any. */
  credentialDays: number | null;
  createdAt: string;
  /** Changes with every setting. */
  version: string;
}

/** Settings of a workspace that the operator may give. */
export interface WorkspaceInput extends Partial<PersonPace> {
  name?: string;
  mode?: WorkspaceMode;
  rateLimit?: RateLimit;
  sandboxSpeed?: number | "instant";
  countries?: string[] | null;
  timeZone?: string;
  callingWindow?: CallingWindow | null;
  requiresSecondFactor?: boolean;
  credentialDays?: number | null;
}

/** Capacity 120, refill 120 in 60 s: a client paced for the contract's other figure, 30, works too. */
const DEFAULT_RATE: RateLimit = { capacity: 120, refill: 120, periodSeconds: 60 };
/** Upper bound: a higher limit serves nobody, and finds its attempt no faster. */
const MAX_ATTEMPTS_PER_DAY = 100;
const MAX_CREDENTIAL_DAYS = 3_650;
/** A week. */
const MAX_GAP_MINUTES = 10_080;
/** Ten times real time: a new user sees ringing and dialogue, and has the transcript in seconds. */
const DEFAULT_SPEED = 10;

/** Makes a workspace. A LIVE one may dial no country until the operator enables it, and only by day. */
export async function createWorkspace(tx: Executor, input: WorkspaceInput & { name: string }): Promise<Workspace> {
  assertInput(input);
  const id = uuidv7();
  const mode = input.mode ?? "SANDBOX";
  const rate = input.rateLimit ?? DEFAULT_RATE;
  const countries = input.countries ?? (mode === "LIVE" ? [] : null);
  const ownWindow = mode === "LIVE" ? DEFAULT_CALLING_WINDOW : null;
  const callingWindow = input.callingWindow === undefined ? ownWindow : input.callingWindow;
  await assertOpensEverywhere(tx, callingWindow, countries);
  await insertWorkspace(tx, {
    id,
    name: input.name,
    mode,
    sandbox_speed: toSpeed(input.sandboxSpeed ?? DEFAULT_SPEED),
    rate_capacity: rate.capacity,
    rate_refill: rate.refill,
    rate_period_seconds: rate.periodSeconds,
    enabled_countries: countries,
    time_zone: input.timeZone ?? "UTC",
    calling_window: callingWindow,
    max_attempts_per_day:
      input.maxAttemptsPerDay === undefined && mode === "LIVE"
        ? DEFAULT_ATTEMPTS_PER_DAY
        : (input.maxAttemptsPerDay ?? null),
    attempt_gap_minutes: input.attemptGapMinutes ?? null,
  });
  return getWorkspace(tx, id);
}

/** One workspace; 404 when there is none. */
export async function getWorkspace(tx: Executor, id: string): Promise<Workspace> {
  const row = await findWorkspace(tx, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such workspace.");
  return toWorkspace(row);
}

/** All workspaces, for the operator. */
export async function getWorkspaces(tx: Executor): Promise<Workspace[]> {
  return (await listWorkspaces(tx)).map(toWorkspace);
}

/** Settings of an existing workspace that may be changed. */
export type WorkspaceChange = Omit<WorkspaceInput, "mode"> & {
  defaultFlowId?: string | null;
  defaultPhoneNumberId?: string | null;
  recordingRetentionDays?: number | null;
  conversationRetentionDays?: number | null;
  /** The version that the change is based on; 409 when it is no longer the stored one. */
  version?: string;
};

/** Changes the given settings and leaves the rest. */
export async function changeWorkspace(tx: Executor, id: string, input: WorkspaceChange): Promise<Workspace> {
  assertInput(input);
  const row = await lockWorkspace(tx, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such workspace.");
  if (input.version !== undefined && input.version !== versionOf(row)) {
    throw staleError("Somebody else changed these settings meanwhile.");
  }
  const rate = input.rateLimit ?? toWorkspace(row).rateLimit;
  const countries = input.countries === undefined ? row.enabled_countries : input.countries;
  const callingWindow = input.callingWindow === undefined ? row.calling_window : input.callingWindow;
  await assertOpensEverywhere(tx, callingWindow, countries);
  await updateWorkspace(tx, {
    ...row,
    name: input.name ?? row.name,
    sandbox_speed: input.sandboxSpeed === undefined ? row.sandbox_speed : toSpeed(input.sandboxSpeed),
    rate_capacity: rate.capacity,
    rate_refill: rate.refill,
    rate_period_seconds: rate.periodSeconds,
    default_flow_id: input.defaultFlowId === undefined ? row.default_flow_id : input.defaultFlowId,
    default_phone_number_id:
      input.defaultPhoneNumberId === undefined ? row.default_phone_number_id : input.defaultPhoneNumberId,
    enabled_countries: countries,
    time_zone: input.timeZone ?? row.time_zone,
    calling_window: callingWindow,
    max_attempts_per_day: input.maxAttemptsPerDay === undefined ? row.max_attempts_per_day : input.maxAttemptsPerDay,
    attempt_gap_minutes: input.attemptGapMinutes === undefined ? row.attempt_gap_minutes : input.attemptGapMinutes,
    recording_retention_days:
      input.recordingRetentionDays === undefined ? row.recording_retention_days : input.recordingRetentionDays,
    conversation_retention_days:
      input.conversationRetentionDays === undefined ? row.conversation_retention_days : input.conversationRetentionDays,
    requires_second_factor: input.requiresSecondFactor ?? row.requires_second_factor,
    credential_days: input.credentialDays === undefined ? row.credential_days : input.credentialDays,
  });
  return getWorkspace(tx, id);
}

function assertInput(input: Partial<WorkspaceInput>): void {
  if (input.name !== undefined && (input.name.trim() === "" || input.name.length > 200)) {
    throw fieldError("name", "LENGTH", "must have 1 to 200 characters.");
  }
  if (input.mode !== undefined && !["SANDBOX", "LIVE"].includes(input.mode)) {
    throw fieldError("mode", "NOT_ALLOWED", "must be SANDBOX or LIVE.");
  }
  assertPace(input);
  if (!isCountTo(MAX_CREDENTIAL_DAYS, input.credentialDays)) {
    throw fieldError("credentialDays", "RANGE", `must be a whole number of days from 1 to ${MAX_CREDENTIAL_DAYS}.`);
  }
  const { rateLimit, sandboxSpeed, countries, timeZone } = input;
  if (rateLimit && !Object.values(rateLimit).every((value) => Number.isFinite(value) && value > 0 && value <= 1e9)) {
    throw fieldError("rateLimit", "RANGE", "capacity, refill and seconds must be positive numbers.");
  }
  if (typeof sandboxSpeed === "number" && !(sandboxSpeed >= 0.1 && sandboxSpeed <= 1000)) {
    throw fieldError("sandboxSpeed", "RANGE", 'must be a number from 0.1 to 1000, or "instant".');
  }
  if (countries?.some((code) => !/^[A-Z]{2}$/.test(code))) {
    throw fieldError("countries", "FORMAT", "must be ISO 3166 codes such as US or DE.");
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw fieldError("timeZone", "FORMAT", "must be an IANA zone such as Europe/Berlin.");
  }
}

function assertPace({ maxAttemptsPerDay, attemptGapMinutes }: Partial<PersonPace>): void {
  if (!isCountTo(MAX_ATTEMPTS_PER_DAY, maxAttemptsPerDay)) {
    throw fieldError("maxAttemptsPerDay", "RANGE", `must be a whole number from 1 to ${MAX_ATTEMPTS_PER_DAY}.`);
  }
  if (!isCountTo(MAX_GAP_MINUTES, attemptGapMinutes)) {
    throw fieldError("attemptGapMinutes", "RANGE", `must be a whole number of minutes from 1 to ${MAX_GAP_MINUTES}.`);
  }
}

function isCountTo(limit: number, value: number | null | undefined): boolean {
  return value === undefined || value === null || (Number.isInteger(value) && value >= 1 && value <= limit);
}

function toSpeed(speed: number | "instant"): number | null {
  return speed === "instant" ? null : speed;
}

function toWorkspace(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    mode: row.mode,
    sandboxSpeed: row.sandbox_speed ?? "instant",
    rateLimit: { capacity: row.rate_capacity, refill: row.rate_refill, periodSeconds: row.rate_period_seconds },
    defaultFlowId: row.default_flow_id,
    defaultPhoneNumberId: row.default_phone_number_id,
    countries: row.enabled_countries,
    timeZone: row.time_zone,
    callingWindow: row.calling_window,
    maxAttemptsPerDay: row.max_attempts_per_day,
    attemptGapMinutes: row.attempt_gap_minutes,
    recordingRetentionDays: row.recording_retention_days,
    conversationRetentionDays: row.conversation_retention_days,
    requiresSecondFactor: row.requires_second_factor,
    credentialDays: row.credential_days,
    createdAt: row.created_at.toISOString(),
    version: versionOf(row),
  };
}

function versionOf(row: WorkspaceRow): string {
  return createHash("sha256").update(JSON.stringify(row)).digest("hex").slice(0, 16);
}
