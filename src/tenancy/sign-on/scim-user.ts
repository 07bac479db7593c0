import { isEmail } from "#src/platform/kernel/email.ts";
import type { IdentityRow } from "./identity-store.ts";
import { cleanName } from "./person.ts";
import { invalidValue, ScimFault } from "./scim-fault.ts";
import {
  type Attributes,
  type PatchOperation,
  readAttributes,
  readBoolean,
  readEquals,
  readItems,
  readText,
} from "./scim-values.ts";

/** Schema of people (RFC 7643, 4.1). */
export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
const MAX_EMAILS = 20;

interface Email {
  value: string;
  type?: string;
  primary?: boolean;
}

/** Attributes of a person that are kept. Others are taken and forgotten, as the RFC allows (RFC 7644, 3.3). */
export interface ScimUser {
  userName: string;
  externalId: string | null;
  active: boolean;
  displayName: string | null;
  name: { formatted: string | null; givenName: string | null; familyName: string | null };
  emails: Email[];
}

/** Reads a whole person, of a POST or PUT; one that does not say whether they are active stays as `isActive` says. */
export function readUser(body: unknown, isActive = true): ScimUser {
  const given = readAttributes(body);
  const active = given.get("active");
  return {
    userName: requireUserName(given.get("username")),
    externalId: readText(given.get("externalid"), "externalId"),
    active: active === undefined || active === null ? isActive : readBoolean(active, "active"),
    displayName: readText(given.get("displayname"), "displayName"),
    name: mergeName({ formatted: null, givenName: null, familyName: null }, given.get("name") ?? {}),
    emails: readEmails(given.get("emails")),
  };
}

/** Returns a person as a PATCH changes them. */
export function patchUser(user: ScimUser, operations: PatchOperation[]): ScimUser {
  return operations.reduce(applyOperation, user);
}

/** Returns a stored person. */
export function toUser(row: IdentityRow): ScimUser {
  const stored = row.profile as Partial<Pick<ScimUser, "displayName" | "name" | "emails">>;
  return {
    userName: row.user_name,
    externalId: row.external_id,
    active: row.is_active,
    displayName: stored.displayName ?? row.name,
    name: stored.name ?? { formatted: row.name, givenName: null, familyName: null },
    emails: stored.emails ?? [{ value: row.email, type: "work", primary: true }],
  };
}

/** Returns a person as SCIM shows them. */
export function showUser(row: IdentityRow, base: string): Record<string, unknown> {
  const { name, externalId, ...user } = toUser(row);
  const names = Object.entries(name).filter(([, value]) => value !== null);
  return {
    schemas: [USER_SCHEMA],
    id: row.user_id,
    ...(externalId === null ? {} : { externalId }),
    ...user,
    active: row.is_active && row.disabled_at === null,
    name: Object.fromEntries(names),
    meta: {
      resourceType: "User",
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${base}/Users/${row.user_id}`,
    },
  };
}

/**
 * Returns the e-mail address of the account: the primary one (RFC 7643, 2.4), one of type work, the one that it has
 * already, the first one, or a user name that is one; null when that is no e-mail address. `former` is the one that the
 * account has, which it keeps where nothing else is said.
 */
export function emailOf({ emails, userName }: ScimUser, former?: string): string | null {
  const chosen =
    emails.find(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === "work") ??
    emails.find(({ value }) => value.toLowerCase() === former?.toLowerCase()) ??
    emails[0];
  const email = chosen?.value ?? (isEmail(userName) ? userName : (former ?? userName));
  return isEmail(email) && email.length <= 254 ? email : null;
}

/** Returns the name of the account. */
export function nameOf({ displayName, name, userName }: ScimUser): string {
  const whole = [name.givenName, name.familyName].filter(Boolean).join(" ");
  return [displayName, name.formatted, whole, userName].map((one) => cleanName(one ?? "")).find(Boolean) ?? userName;
}

function applyOperation(user: ScimUser, { op, path, value }: PatchOperation): ScimUser {
  const given = op === "remove" ? undefined : value;
  const lower = (path ?? "").toLowerCase();
  switch (lower) {
    case "active":
      return op === "remove" ? user : { ...user, active: readBoolean(given, "active") };
    case "username":
      return { ...user, userName: requireUserName(given) };
    case "externalid":
      return { ...user, externalId: readText(given, "externalId") };
    case "displayname":
      return { ...user, displayName: readText(given, "displayName") };
    case "name":
      return { ...user, name: mergeName(user.name, given ?? { formatted: null, givenName: null, familyName: null }) };
    case "name.formatted":
    case "name.givenname":
    case "name.familyname":
      return { ...user, name: mergeName(user.name, { [lower.slice("name.".length)]: given ?? null }) };
    case "emails":
      return { ...user, emails: putEmails(op === "add" ? user.emails : [], readEmails(given)) };
    default:
      return lower.startsWith("emails[") ? patchEmails(user, path ?? "", given) : user;
  }
}

function mergeName(before: ScimUser["name"], value: unknown): ScimUser["name"] {
  const given = readAttributes(value);
  const read = (name: keyof ScimUser["name"]) => {
    const part = given.get(name.toLowerCase());
    return part === undefined ? before[name] : readText(part, `name.${name}`);
  };
  return { formatted: read("formatted"), givenName: read("givenName"), familyName: read("familyName") };
}

/** Changes the e-mail addresses that a filter selects: `emails[type eq "work"].value`, as Microsoft Entra ID sends. */
function patchEmails(user: ScimUser, path: string, value: unknown): ScimUser {
  const found = /^emails\[(.+)\](?:\.(\w+))?$/i.exec(path);
  if (!found) throw new ScimFault(400, `The path ${path.slice(0, 100)} cannot be read.`, "invalidPath");
  const { attribute, value: wanted } = readEquals(found[1] as string);
  if (!["type", "value", "primary"].includes(attribute))
    throw new ScimFault(400, "E-mail addresses are selected by type, value or primary.", "invalidPath");
  const isWanted = (email: Email) =>
    String(email[attribute as keyof Email] ?? "").toLowerCase() === wanted.toLowerCase();
  if (value === undefined || value === null) return { ...user, emails: user.emails.filter((one) => !isWanted(one)) };
  const member = (found[2] ?? "").toLowerCase();
  if (member !== "" && member !== "value") return user;
  const sent = member === "" ? readEmails(value)[0] : readEmails([{ value }])[0];
  if (!sent) return user;
  if (!user.emails.some(isWanted)) {
    return {
      ...user,
      emails: putEmails(user.emails, [{ ...(attribute === "type" ? { type: wanted } : {}), ...sent }]),
    };
  }
  return { ...user, emails: user.emails.map((email) => (isWanted(email) ? { ...email, ...sent } : email)) };
}

/** Adds e-mail addresses. A primary one takes the place of the former primary one (RFC 7644, 3.5.2). */
function putEmails(before: Email[], added: Email[]): Email[] {
  const kept = added.some(({ primary }) => primary) ? before.map(({ primary: _, ...email }) => email) : before;
  return [...kept, ...added].slice(0, MAX_EMAILS);
}

function requireUserName(value: unknown): string {
  const userName = readText(value, "userName");
  if (userName === null || userName.length > 254) throw invalidValue("userName must have 1 to 254 characters.");
  return userName;
}

function readEmails(value: unknown): Email[] {
  const items = readItems(value).map(readEmail);
  return items.filter((one) => one !== null).slice(0, MAX_EMAILS);
}

function readEmail(item: Attributes): Email | null {
  const address = readText(item.get("value"), "emails.value");
  if (address === null) return null;
  const type = readText(item.get("type"), "emails.type");
  const primary = item.get("primary");
  return {
    value: address,
    ...(type === null ? {} : { type }),
    ...(primary === undefined || primary === null ? {} : { primary: readBoolean(primary, "emails.primary") }),
  };
}
