import type { TransferOrder } from "#src/engine/conversation/tool-port.ts";
import type { OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { isHostAllowed } from "./allow-list.ts";
import { fillText } from "./fill-template.ts";
import { ToolFailure } from "./tool-failure.ts";
import { type ToolScope, toVariables } from "./tool-scope.ts";

const DEFAULT_RING_SECONDS = 30;
const FORMS = {
  PHONE: /^\+[1-9]\d{6,14}$/,
  SIP: /^sips?:[^\s@<>]{1,200}@[^\s@<>/]{1,255}$/i,
  FLOW: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/,
};

/** Returns the destination and options of a transfer, every template filled in and checked. Throws a ToolFailure. */
export function toTransferOrder(guard: OutboundGuard, scope: ToolScope): TransferOrder {
  const config = scope.tool.definition.forwardCallConfig ?? {};
  const variables = toVariables(scope);
  const fill = (template: string | null | undefined) => (template ? fillText(template, variables) : null);
  const destinationType = config.destinationType ?? "PHONE";
  const destination = readDestination(scope, destinationType, fill(config.destination) ?? "");
  return {
    mode: config.mode ?? "COLD",
    destinationType,
    destination,
    dtmfSequence: config.dtmfSequence ?? null,
    callerId: config.callerId ?? "OWN",
    whisperMessage: fill(config.whisperMessage),
    summary: null,
    holdAudioUrl: readAudioUrl(guard, fill(config.holdAudioUrl)),
    ringTimeoutSeconds: config.ringTimeoutSeconds ?? DEFAULT_RING_SECONDS,
    transferOnlyIfHuman: config.transferOnlyIfHuman ?? false,
    fallbackMessage: fill(config.fallbackMessage),
    sipHeaders: readSipHeaders(config.sipHeaders ?? {}, variables),
  };
}

function readDestination({ tool }: ToolScope, type: keyof typeof FORMS, text: string): string {
  // People write numbers with spaces, hyphens and brackets; in a SIP address these characters change the address.
  const destination = type === "PHONE" ? text.replaceAll(/[\s().-]/g, "") : text.trim();
  if (!FORMS[type].test(destination)) throw invalid("There is no valid destination to hand the call over to.");
  const hosts = tool.definition.networkAllowList ?? [];
  if (type !== "SIP" || hosts.length === 0) return destination;
  const host = /@([^;?]+)/.exec(destination)?.[1] ?? "";
  const url = URL.parse(`http://${host}/`);
  if (url?.pathname === "/" && isHostAllowed(hosts, url)) return destination;
  throw new ToolFailure("HOST_NOT_ALLOWED", "The tool may not reach that host.");
}

/** Leaves out audio that cannot be fetched safely: the call is transferred all the same. */
function readAudioUrl(guard: OutboundGuard, text: string | null): string | null {
  if (text === null) return null;
  try {
    return guard.checkUrl(text).href;
  } catch {
    return null;
  }
}

function readSipHeaders(headers: Record<string, string>, variables: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, template]) => {
      const value = fillText(template, variables).trim();
      if (/^[\x20-\x7e]{0,1000}$/.test(value)) return [name, value];
      throw invalid(`A value does not fit the header ${name.slice(0, 100)}.`);
    }),
  );
}

function invalid(message: string): ToolFailure {
  return new ToolFailure("TRANSFER_INVALID", message);
}
