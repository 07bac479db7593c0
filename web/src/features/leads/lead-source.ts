import type { LeadDelivery, LeadPreview, LeadSource } from "@parley/sdk";

export type { LeadDelivery, LeadPreview, LeadSource };

export const SOURCES_PATH = "/lead-sources";

/** Members of a mapping that have a field of their own. */
export const MAPPED = [
  { name: "customerNumber", label: "Phone number" },
  { name: "externalId", label: "Its id at the sender" },
  { name: "contactName", label: "Name" },
  { name: "contactEmail", label: "E-mail address" },
  { name: "timeZone", label: "Time zone" },
  { name: "deliveryId", label: "Id of the delivery" },
  { name: "consent", label: "Consent" },
] as const;

/** Label of each way in which a sender may sign. */
export const SIGNATURES: Record<LeadSource["signature"], string> = {
  NONE: "No signature: the address alone is secret",
  HMAC_SHA256: "HMAC of the body in a header",
  STANDARD_WEBHOOKS: "Standard Webhooks",
};

const REASONS: Record<NonNullable<LeadDelivery["reason"]>, string> = {
  SIGNATURE: "Signature",
  CONTENT_TYPE: "Content type",
  BODY: "Unreadable",
  NUMBER: "No phone number",
  CONSENT: "No consent",
  DAILY_LIMIT: "Daily limit",
  SETTINGS: "Settings of the source",
  FIELD: "A field is too long",
  REPEATED_DELIVERY: "Same delivery",
  REPEATED_EXTERNAL_ID: "Same id",
  REPEATED_NUMBER: "Same number",
};

/** Describes why a delivery dialled nobody; empty when it did. */
export function describeReason({ reason, message }: Pick<LeadDelivery, "reason" | "message">): string {
  if (reason === null) return "";
  return message === null ? REASONS[reason] : `${REASONS[reason]}: ${message}`;
}

/** A sample as a person typed it: JSON where it is JSON, otherwise form fields. */
export function readSample(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}
