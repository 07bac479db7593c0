import { isEmail } from "#src/platform/kernel/email.ts";
import { domainOf } from "#src/tenancy/users/password-domains.ts";
import { SignOnFault } from "./sign-on-fault.ts";
import type { ProviderRow } from "./store.ts";

const MAX_NAME = 100;
const MAX_EMAIL = 254;
const MAX_TEXT = 300;
const MAX_GROUPS = 5_000;

/** A person as an ID token names them. */
export interface SignedOnPerson {
  subject: string;
  externalId: string | null;
  email: string | null;
  /** Undefined: the provider does not say. */
  isEmailVerified: boolean | undefined;
  name: string;
  groups: string[];
}

/** Reads a person from checked claims. */
export function readPerson(provider: ProviderRow, claims: Record<string, unknown>): SignedOnPerson {
  const subject = readText(claims.sub, MAX_TEXT);
  if (subject === null) throw new SignOnFault("INVALID_ANSWER");
  const email = readText(claims.email, MAX_EMAIL);
  const verified = claims.email_verified;
  return {
    subject,
    externalId: readText(claims[provider.external_id_claim], MAX_TEXT),
    email: email !== null && isEmail(email) ? email : null,
    // Some providers send it as a text.
    isEmailVerified: verified === undefined ? undefined : verified === true || verified === "true",
    name: nameOf(claims) ?? email ?? subject,
    groups: readGroups(provider.group_claim, claims),
  };
}

/** True for an e-mail address in one of the domains that the provider's people have. */
export function isInDomains({ domains }: Pick<ProviderRow, "domains">, email: string): boolean {
  return domains.includes(domainOf(email));
}

/** Returns a name as accounts have it; null when nothing is left of it. */
export function cleanName(name: string): string | null {
  const plain = Array.from(name.toWellFormed().replaceAll(/\p{Cc}+/gu, " ")).slice(0, MAX_NAME);
  return plain.join("").trim() || null;
}

function nameOf({ name, given_name: given, family_name: family }: Record<string, unknown>): string | null {
  if (typeof name === "string" && cleanName(name) !== null) return cleanName(name);
  return cleanName([given, family].filter((part) => typeof part === "string").join(" "));
}

/**
 * Reads the groups; none where the provider names none. Microsoft Entra ID sends a pointer in place of more than 200
 * groups: a person must not lose their roles by that, so it is a fault.
 */
function readGroups(claim: string, claims: Record<string, unknown>): string[] {
  const elsewhere = claims._claim_names as Record<string, unknown> | null | undefined;
  const isLeftOut = elsewhere?.[claim] !== undefined || claims.hasgroups === true;
  if (isLeftOut && claims[claim] === undefined) throw new SignOnFault("GROUPS_NOT_SENT");
  const given = claims[claim];
  const list: unknown[] = Array.isArray(given) ? given : [given];
  const texts = list.map((one) => readText(one, MAX_TEXT)).filter((one) => one !== null);
  return [...new Set(texts)].slice(0, MAX_GROUPS);
}

function readText(value: unknown, maxLength: number): string | null {
  const isText = typeof value === "string" && value !== "" && value.length <= maxLength;
  return isText && value.isWellFormed() && !/\p{Cc}/u.test(value) ? value : null;
}
