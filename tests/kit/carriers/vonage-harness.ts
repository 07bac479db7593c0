import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch } from "#src/platform/http/safe-fetch.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type {
  CarrierAccount,
  CarrierWebhookEvent,
  CarrierWebhook,
  WebhookReading,
} from "#src/telephony/carriers/account.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { MEDIA_PATH, MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { vonageProvider } from "#src/telephony/carriers/vonage/vonage-provider.ts";
import { VonageServer } from "./vonage-server.ts";

const NEVER = new AbortController().signal;

/**
 * A node with one Vonage account: takes the webhooks and the sockets of a fake Vonage, and keeps the events from them.
 */
export class VonageHarness implements AsyncDisposable {
  readonly vonage: VonageServer;
  readonly account: CarrierAccount;
  readonly accountId: string;
  readonly media: MediaSocketGateway;
  readonly publicUrl: string;
  readonly webhookEvents: CarrierWebhookEvent[] = [];
  readonly readings: WebhookReading[] = [];
  readonly webhooks: CarrierWebhook[] = [];
  /** Events that the socket reported. */
  readonly reported: CarrierEvent[] = [];
  /** Attempt that an incoming call becomes; null: the call is declined. */
  inboundAttemptId: string | null = null;
  readonly #server: Server;

  private constructor(server: Server, vonage: VonageServer, keys: Record<string, string>) {
    this.#server = server;
    this.vonage = vonage;
    this.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const key = randomBytes(32);
    this.media = new MediaSocketGateway({ publicUrl: this.publicUrl, keys: () => [key] });
    this.accountId = randomUUID();
    this.account = openVonage(this.accountId, keys, {
      publicUrl: this.publicUrl,
      media: this.media,
      deliver: (event) => this.reported.push(event),
    });
  }

  /** Starts the node; `overrides` replaces fields of the account. */
  static async start(overrides: Record<string, string> = {}): Promise<VonageHarness> {
    const vonage = await VonageServer.start();
    const server = createServer((request, response) => void harness.#take(request, response));
    server.on("upgrade", (request: IncomingMessage, socket, head) => {
      if (request.url?.startsWith(MEDIA_PATH)) harness.media.takeSocket(request, socket, head, {});
      else socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const harness: VonageHarness = new VonageHarness(server, vonage, {
      ...vonage.keys,
      apiUrl: vonage.url,
      ...overrides,
    });
    return harness;
  }

  /** Every event of calls except those of the socket. */
  get events(): CarrierEvent[] {
    return this.webhookEvents.flatMap((entry) => (entry.kind === "CALL" ? [entry.event] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.media.closeAll();
    await this.vonage.close();
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const prefix = `/api/webhooks/carriers/vonage/${this.accountId}/`;
    const path = (request.url ?? "").slice(prefix.length);
    const body = Buffer.concat(pieces);
    const url = `${this.publicUrl}${request.url ?? ""}`;
    const webhook: CarrierWebhook = { method: "POST", url, path, headers: request.headers, body };
    this.webhooks.push(webhook);
    const reading = this.account.readWebhook(webhook);
    this.readings.push(reading);
    if (reading.kind !== "READ") return void response.writeHead(reading.kind === "FORGED" ? 403 : 400).end();
    this.webhookEvents.push(...reading.events);
    const inbound = reading.events.find((entry) => entry.kind === "CALL_IN");
    const { status, headers, body: text } = inbound ? await this.#decide(inbound.call) : reading.answer;
    response.writeHead(status, headers).end(text);
  }

  #decide(call: Parameters<CarrierAccount["answerCall"]>[0]) {
    return this.inboundAttemptId === null
      ? this.account.declineCall(call, "BUSY", NEVER)
      : this.account.answerCall(call, this.inboundAttemptId, NEVER);
  }
}

/** Dependencies of a test's account. */
interface WebCallGatewayParts {
  publicUrl: string;
  media: MediaSocketGateway;
  deliver?: (event: CarrierEvent) => void;
  now?: () => number;
}

/** Opens an account from its fields; requests may go only to the address in `apiUrl`. */
export function openVonage(id: string, fields: Record<string, string>, parts: WebCallGatewayParts): CarrierAccount {
  const isSecret = new Map(vonageProvider.fields.map((field) => [field.name, field.isSecret]));
  const pick = (secret: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isSecret.get(name) === secret));
  const { host } = new URL(fields.apiUrl ?? "http://127.0.0.1:9");
  const fetch = createSafeFetch(createOutboundGuard({ allowPrivateNetwork: false, allow: [host] }));
  return vonageProvider.open(
    { id, workspaceId: "w", settings: pick(false), secrets: pick(true) },
    { deliver: () => undefined, log: createLog("silent"), now: Date.now, fetch, ...parts },
  );
}

/** Waits until `isTrue`, or fails. */
export async function until(isTrue: () => boolean, timeoutMs = 25_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error("It did not happen in time.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
