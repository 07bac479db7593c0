import { webhookUrl } from "#src/telephony/carriers/account.ts";
import type { NumberResult } from "#src/telephony/carriers/number-provisioning.ts";
import { readNumberFailure } from "./vonage-errors.ts";
import { asJson, asText, type Json } from "./vonage-json.ts";
import type { VonageParts } from "./vonage-parts.ts";

/**
 * Points the webhooks of the account's application at us, signed, and leaves the rest unchanged. The application
 * receives everything for the numbers linked to it.
 */
export async function configureApplication(parts: VonageParts, signal: AbortSignal): Promise<NumberResult<null>> {
  const { api } = parts;
  const order = { host: "api", path: `/v2/applications/${api.applicationId}`, proof: "ACCOUNT" } as const;
  const found = await api.call({ ...order, method: "GET" }, signal);
  const failure = readNumberFailure(found);
  if (failure?.kind === "ABSENT") {
    const message = "Vonage knows no application of this id in the account. Check the application id.";
    return { kind: "REFUSED", code: "NO_APPLICATION", message, blame: "ACCOUNT" };
  }
  if (failure || found.kind === "FAILED") return failure ?? unreadable();
  const now = asJson(found.json);
  const name = asText(now.name);
  if (!name) return unreadable();
  const capabilities = addWebhooks(parts, asJson(now.capabilities));
  if (isSame(now.capabilities, capabilities)) return { kind: "DONE", value: null };
  const body = { name, ...pick(now, ["keys", "privacy"]), capabilities };
  return readNumberFailure(await api.call({ ...order, method: "PUT", body }, signal)) ?? { kind: "DONE", value: null };
}

function unreadable(): NumberResult<null> {
  return { kind: "UNCERTAIN", code: "UNREADABLE", message: "Vonage's answer about the application makes no sense." };
}

function addWebhooks({ publicUrl, accountId }: VonageParts, capabilities: Json): object {
  const hook = (path: string) => ({ address: webhookUrl(publicUrl, "VONAGE", accountId, path), http_method: "POST" });
  const voice = asJson(capabilities.voice);
  const messages = asJson(capabilities.messages);
  return {
    ...capabilities,
    voice: {
      ...voice,
      webhooks: { ...asJson(voice.webhooks), answer_url: hook("calls-in"), event_url: hook("calls") },
      signed_callbacks: true,
    },
    messages: {
      ...messages,
      webhooks: {
        ...asJson(messages.webhooks),
        inbound_url: hook("messages"),
        status_url: hook("message-status"),
      },
      version: "v1",
    },
  };
}

function pick(json: Json, names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => json[name] !== undefined).map((name) => [name, json[name]]));
}

/** True when the wanted settings are present; more may be, because Vonage adds its own time-outs to a webhook. */
function isSame(now: unknown, wanted: unknown): boolean {
  if (wanted === null || typeof wanted !== "object") return now === wanted;
  const present = asJson(now);
  return Object.entries(wanted).every(([name, value]) => isSame(present[name], value));
}
