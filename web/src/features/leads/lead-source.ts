import type { LeadDelivery, LeadPreview, LeadSource } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";

export type { LeadDelivery, LeadPreview, LeadSource };

export const SOURCES_PATH = "/lead-sources";

/** Members of a mapping that have a field of their own. */
export const MAPPED = [
  { name: "customerNumber", label: t`Phone number` },
  { name: "externalId", label: t`Its id at the sender` },
  { name: "contactName", label: t`Name` },
  { name: "contactEmail", label: t`E-mail address` },
  { name: "timeZone", label: t`Time zone` },
  { name: "deliveryId", label: t`Id of the delivery` },
  { name: "consent", label: t`Consent` },
] as const;

/** Label of each way in which a sender may sign. */
export const SIGNATURES: Record<LeadSource["signature"], string> = {
  NONE: t`No signature: the address alone is secret`,
  HMAC_SHA256: t`HMAC of the body in a header`,
  STANDARD_WEBHOOKS: t`Standard Webhooks`,
};

const REASONS: Record<NonNullable<LeadDelivery["reason"]>, string> = {
  SIGNATURE: t`Signature`,
  CONTENT_TYPE: t`Content type`,
  BODY: t`Unreadable`,
  NUMBER: t`No phone number`,
  CONSENT: t`No consent`,
  DAILY_LIMIT: t`Daily limit`,
  SETTINGS: t`Settings of the source`,
  FIELD: t`A field is too long`,
  REPEATED_DELIVERY: t`Same delivery`,
  REPEATED_EXTERNAL_ID: t`Same id`,
  REPEATED_NUMBER: t`Same number`,
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
