import type { CallJob, CompletionWebhookInput } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";

/** A completion webhook as a form holds it; an empty address: none. */
export interface WebhookForm {
  url: string;
  authMode: "NONE" | "BEARER" | "CUSTOM_HEADER";
  secret: string;
  headerName: string;
}

export const NO_WEBHOOK: WebhookForm = { url: "", authMode: "NONE", secret: "", headerName: "" };

/** A job's webhook as the form shows it; its secret stays with the server. */
export function toWebhookForm({ completionWebhook }: CallJob): WebhookForm {
  if (!completionWebhook) return NO_WEBHOOK;
  const { url, authMode, headerName } = completionWebhook;
  return { url, authMode: authMode as WebhookForm["authMode"], secret: "", headerName: headerName ?? "" };
}

/** The webhook as the API takes it; null: none. An empty secret is not sent and keeps the stored one. */
export function toWebhook({ url, authMode, secret, headerName }: WebhookForm): CompletionWebhookInput | null {
  if (url.trim() === "") return null;
  const plain = { url: url.trim(), authMode };
  if (authMode === "BEARER") return { ...plain, ...(secret === "" ? {} : { secret }) };
  if (authMode === "CUSTOM_HEADER") return { ...plain, headerName, ...(secret === "" ? {} : { headerValue: secret }) };
  return plain;
}

/** Returns the faults of the form by field. `keepsSecret`: an empty secret keeps the stored one. */
export function findWebhookFaults({ url, authMode, secret, headerName }: WebhookForm, keepsSecret = false) {
  const faults: Record<string, string> = {};
  if (url.trim() === "") return faults;
  if (!/^https?:\/\/\S+$/i.test(url.trim())) {
    faults["completionWebhook.url"] = t`Write an address that begins with https://`;
  }
  if (authMode !== "NONE" && secret === "" && !keepsSecret) faults["completionWebhook.secret"] = t`Write the secret.`;
  if (authMode === "CUSTOM_HEADER" && headerName === "") {
    faults["completionWebhook.headerName"] = t`Name the header.`;
  }
  return faults;
}
