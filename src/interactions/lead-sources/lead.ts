import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { isEmail } from "#src/platform/kernel/email.ts";
import { asObject } from "#src/platform/kernel/json-object.ts";
import { toE164 } from "#src/tenancy/compliance/numbers.ts";
import { readPath } from "./read-path.ts";

const Path = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: "^[^\\u0000]*$",
  description:
    "Where it is in the delivery: `lead.phones.0`, `fields[name=phone].value`, the name of a form field, or `$` for all of it.",
  examples: ["lead.phone"],
});
const Members = Type.Record(Type.String({ maxLength: 100, pattern: "^[^\\u0000]+$" }), Path, { maxProperties: 100 });

/** Paths in a delivery, by what they are of the call. */
export const LeadMapping = Type.Object(
  {
    customerNumber: Path,
    externalId: Type.Optional(nullable(Path)),
    contactName: Type.Optional(nullable(Path)),
    contactEmail: Type.Optional(nullable(Path)),
    timeZone: Type.Optional(nullable(Path)),
    deliveryId: Type.Optional(nullable(Path)),
    consent: Type.Optional(nullable(Path)),
    rowData: Type.Optional(nullable(Members)),
    contextData: Type.Optional(nullable(Members)),
  },
  {
    $id: "LeadMapping",
    description:
      "rowData and contextData take a path for each of their members: the agent may know the first, the second travels with the call.",
  },
);
export type LeadMapping = Static<typeof LeadMapping>;

/** Reasons why a delivery dials nobody. */
export const REFUSALS = [
  "SIGNATURE",
  "CONTENT_TYPE",
  "BODY",
  "NUMBER",
  "CONSENT",
  "DAILY_LIMIT",
  "SETTINGS",
  "FIELD",
] as const;
/** The earlier delivery that a delivery repeats. */
export const REPEATS = ["DELIVERY", "EXTERNAL_ID", "NUMBER"] as const;
export const LeadReason = oneOf([...REFUSALS, ...REPEATS.map((name) => `REPEATED_${name}` as const)]);
export type LeadReason = Static<typeof LeadReason>;

/** A delivery that dials nobody, and why. */
export interface Refusal {
  reason: (typeof REFUSALS)[number];
  message: string;
}

/** A person to call, as a mapping reads them from a delivery. */
export interface Lead {
  customerNumber: string;
  externalId: string | null;
  contactName: string | null;
  contactEmail: string | null;
  timeZone: string | null;
  deliveryId: string | null;
  consent: string | null;
  rowData: Record<string, unknown> | null;
  contextData: Record<string, unknown> | null;
}

const LONGEST = { externalId: 200, contactName: 500, contactEmail: 320, timeZone: 64, deliveryId: 200, consent: 200 };
/** Values that give consent; a form's checkbox sends `on` or its label's value, in the language of its page. */
const CONSENT = new Set(
  "true yes y on 1 granted accepted opt-in optin subscribed ja oui sí si sì sim tak да".split(" "),
);

/** Reads a lead from a delivery, or says why it is none. */
export function readLead(
  body: unknown,
  mapping: LeadMapping,
  { defaultCountry, consentRequired }: { defaultCountry: string | null; consentRequired: boolean },
): Lead | Refusal {
  const texts = readTexts(body, mapping);
  if ("reason" in texts) return texts;
  const given = textOf(readPath(body, mapping.customerNumber));
  if (given === null) return refuse("NUMBER", `There is no phone number at ${mapping.customerNumber}.`);
  const customerNumber = toE164(given, defaultCountry);
  if (customerNumber === null) {
    const hint = defaultCountry === null ? "; numbers without a country need the source's defaultCountry" : "";
    return refuse("NUMBER", `${given.slice(0, 40)} is not a phone number${hint}.`);
  }
  if (consentRequired && !CONSENT.has((texts.consent ?? "").normalize("NFC").toLowerCase())) {
    return refuse("CONSENT", `There is no consent at ${mapping.consent ?? "any path"}.`);
  }
  return {
    ...texts,
    customerNumber,
    // A misspelt address of a lead costs the address, not the call.
    contactEmail: texts.contactEmail !== null && isEmail(texts.contactEmail) ? texts.contactEmail : null,
    rowData: readMembers(body, mapping.rowData),
    contextData: readMembers(body, mapping.contextData),
  };
}

type Texts = Record<keyof typeof LONGEST, string | null>;

function readTexts(body: unknown, mapping: LeadMapping): Texts | Refusal {
  const texts = {} as Texts;
  for (const name of Object.keys(LONGEST) as (keyof typeof LONGEST)[]) {
    const path = mapping[name];
    const text = path ? textOf(readPath(body, path)) : null;
    if (text !== null && text.length > LONGEST[name]) {
      return refuse("FIELD", `${name} has more than ${LONGEST[name]} characters.`);
    }
    texts[name] = text;
  }
  return texts;
}

/** Returns a value as trimmed text; null for an empty one, and for objects and lists. */
function textOf(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? value.trim() || null : null;
}

function readMembers(body: unknown, paths: Record<string, string> | null | undefined): Record<string, unknown> | null {
  if (!paths) return null;
  const found = Object.entries(paths).map(([name, path]) => [name, readPath(body, path)] as const);
  return asObject(Object.fromEntries(found.filter(([, value]) => value !== undefined)));
}

/** Returns the refusal of a delivery. */
export function refuse(reason: Refusal["reason"], message: string): Refusal {
  return { reason, message };
}
