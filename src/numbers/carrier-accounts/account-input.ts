import type { Executor } from "#src/platform/db/database.ts";
import { isSameOrigin } from "#src/platform/http/origins.ts";
import { AppError, type Fault, fieldError, toError } from "#src/platform/kernel/errors.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type {
  AccountCheck,
  AccountField,
  AccountKeys,
  AccountParts,
  CarrierProvider,
} from "#src/telephony/carriers/account.ts";
import type { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";

/** Dependencies of the carrier accounts. */
export interface CarrierAccountParts {
  db: Executor;
  box: SecretBox;
  /** Dependencies of an account while it is checked. */
  account: Omit<AccountParts, "deliver" | "media"> & { media: MediaSocketGateway };
  /** The known carriers; those of the registry by default. */
  providers?: readonly CarrierProvider[];
}

/** An operator's input for an account. In a change, absent members stay, and a setting or secret of null is removed. */
export interface AccountInput {
  label?: string | undefined;
  callsPerSecond?: number | undefined;
  settings?: Record<string, string | null>;
  secrets?: Record<string, string | null>;
}

/** An account that was read and checked, ready to be stored. */
export interface CheckedAccount {
  keys: AccountKeys;
  provider: CarrierProvider;
  label: string;
  callsPerSecond: number;
  check: AccountCheck;
}

const CHECK_TIMEOUT_MS = 20_000;
const MAX_VALUE = 16_384;

/**
 * Reads the input for an account, then checks the account with its carrier. 422 names the fields with a wrong format.
 */
export async function readAndCheck(
  parts: CarrierAccountParts,
  provider: CarrierProvider,
  before: AccountKeys,
  input: AccountInput,
): Promise<CheckedAccount> {
  const settings = merge(before.settings, input.settings);
  const secrets = merge(before.secrets, input.secrets);
  const faults = [
    ...checkValues("settings", fieldsOf(provider, false), settings),
    ...checkValues("secrets", fieldsOf(provider, true), secrets),
  ];
  const [fault] = faults;
  if (fault) throw new AppError("VALIDATION_FAILED", `${fault.path}: ${fault.message}`, faults);
  const callsPerSecond = input.callsPerSecond ?? provider.callsPerSecond;
  if (!(callsPerSecond >= 0.01 && callsPerSecond <= 1_000)) {
    throw fieldError("callsPerSecond", "RANGE", "must be between 0.01 and 1000.");
  }
  const label = input.label ?? provider.name;
  if (label.length > 200) throw fieldError("label", "RANGE", "has more than 200 characters.");
  const keys = { ...before, settings, secrets };
  return { keys, provider, label, callsPerSecond, check: await checkKeys(parts, provider, keys) };
}

/**
 * Refuses a change that would send stored secrets to another host than they were given for: whoever makes the change
 * may be unable to read them. The 422 names each secret that is kept.
 */
export function assertSecretsSent(before: AccountKeys, { settings, secrets = {} }: AccountInput): void {
  if (isSameOrigin(merge(before.settings, settings).apiUrl, before.settings.apiUrl)) return;
  const faults = Object.keys(before.secrets)
    .filter((name) => secrets[name] === undefined)
    .map((name): Fault => {
      const message = "is required again when apiUrl goes to another host.";
      return { path: `secrets.${name}`, code: "REQUIRED", message };
    });
  const [fault] = faults;
  if (fault) throw new AppError("VALIDATION_FAILED", `${fault.path}: ${fault.message}`, faults);
}

function fieldsOf(provider: CarrierProvider, isSecret: boolean): AccountField[] {
  return provider.fields.filter((field) => field.isSecret === isSecret);
}

function merge(
  before: Readonly<Record<string, string>>,
  given: Record<string, string | null> = {},
): Record<string, string> {
  const merged = { ...before, ...given };
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null));
}

function checkValues(where: string, fields: AccountField[], values: Record<string, string>): Fault[] {
  const unknown = Object.keys(values)
    .filter((name) => !fields.some((field) => field.name === name))
    .map((name) => ({
      path: `${where}.${name}`,
      code: "UNKNOWN",
      message: `is none of ${fields.map((field) => field.name).join(", ") || "them: there are none"}.`,
    }));
  return [...unknown, ...fields.flatMap((field) => checkValue(`${where}.${field.name}`, field, values[field.name]))];
}

function checkValue(path: string, { label, pattern, isRequired }: AccountField, value: string | undefined): Fault[] {
  if (value === undefined) return isRequired ? [{ path, code: "REQUIRED", message: `is required: ${label}.` }] : [];
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags.replaceAll(/[gy]/g, ""));
  if (value.length <= MAX_VALUE && whole.test(value)) return [];
  return [{ path, code: "FORMAT", message: `does not look right: ${label}.` }];
}

/** Checks with a carrier whether an account works. Never throws. */
export async function checkKeys(
  parts: CarrierAccountParts,
  provider: CarrierProvider,
  keys: AccountKeys,
): Promise<AccountCheck> {
  try {
    return await provider
      .open(keys, { ...parts.account, deliver: () => undefined })
      .check(AbortSignal.timeout(CHECK_TIMEOUT_MS));
  } catch (thrown) {
    // A key that cannot be read at all, such as an invalid PEM block.
    return { kind: "REFUSED", code: "KEY_UNREADABLE", message: toError(thrown).message };
  }
}
