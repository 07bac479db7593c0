import { createServer, type IncomingMessage, type Server } from "node:http";
import type { MessagePort } from "node:worker_threads";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch } from "#src/platform/http/safe-fetch.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type {
  CarrierAccount,
  CarrierWebhookEvent,
  InboundCall,
  WebhookAnswer,
  WebhookReading,
} from "#src/telephony/carriers/account.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { twilioProvider } from "#src/telephony/carriers/twilio/twilio-provider.ts";

const ACCOUNT_ID = "0199aaaa-0000-7000-8000-000000000001";
const PREFIX = `/api/webhooks/carriers/twilio/${ACCOUNT_ID}/`;

/** Settings and secrets of an account, for tests that open several. */
export interface HostKeys {
  settings: Record<string, string>;
  secrets: Record<string, string>;
}

/**
 * An opened Twilio account behind a server that takes its webhooks and media sockets, and nothing else of the service.
 */
export class TwilioHost implements AsyncDisposable {
  readonly readings: WebhookReading[] = [];
  readonly delivered: CarrierEvent[] = [];
  readonly warnings: string[] = [];
  /** Returns the answer to an incoming call; null declines every call. */
  takeCall: ((call: InboundCall) => Promise<WebhookAnswer>) | null = null;
  readonly account: CarrierAccount;
  readonly media: MediaSocketGateway;
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, keys: HostKeys, apiUrl: string) {
    this.#server = server;
    const { port } = server.address() as { port: number };
    this.url = `http://127.0.0.1:${port}`;
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: (text: string) => void this.warnings.push(text),
      error: () => undefined,
    };
    this.media = new MediaSocketGateway({ publicUrl: this.url, keys: () => [Buffer.alloc(32, 7)] });
    const allow = [new URL(apiUrl).host];
    const fetch = createSafeFetch(createOutboundGuard({ allowPrivateNetwork: false, allow }));
    const settings = { ...keys.settings, apiUrl };
    this.account = twilioProvider.open(
      { id: ACCOUNT_ID, workspaceId: "w", settings, secrets: keys.secrets },
      {
        fetch,
        publicUrl: this.url,
        media: this.media,
        deliver: (event) => void this.delivered.push(event),
        log,
        now: Date.now,
      },
    );
    server.on("request", (request, response) => {
      void this.#take(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
    });
    server.on("upgrade", (request, socket, head) => this.media.takeSocket(request, socket, head, {}));
  }

  static async start(apiUrl: string, keys: HostKeys): Promise<TwilioHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new TwilioHost(server, keys, apiUrl);
  }

  /** All events that webhooks and sockets reported so far. */
  get webhookEvents(): CarrierWebhookEvent[] {
    const read = this.readings.flatMap((reading) => (reading.kind === "READ" ? reading.events : []));
    return [...read, ...this.delivered.map((event) => ({ kind: "CALL", event }) as const)];
  }

  /** Returns the events of an attempt, without repeats, in order of arrival. */
  eventsOf(attemptId: string): CarrierEvent[] {
    const events = this.webhookEvents.flatMap((webhookEvent) =>
      webhookEvent.kind === "CALL" ? [webhookEvent.event] : [],
    );
    const byKey = new Map(
      events.filter((event) => event.attemptId === attemptId).map((event) => [event.eventKey, event]),
    );
    return [...byKey.values()];
  }

  /** Dials as dispatch does, but waits as long as `signal` allows. */
  dial(from: string, to: string, attemptId = uuidv7(), signal = new AbortController().signal) {
    const request = { attemptId, workspaceId: "w", from, to, ringTimeoutSeconds: 30 } as const;
    return this.account.carrier.dial({ ...request, eventsUrl: this.url }, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.media.closeAll();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage): Promise<WebhookAnswer> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const path = (request.url ?? "").slice(PREFIX.length);
    const url = `${this.url}${request.url}`;
    const method = request.method === "GET" ? "GET" : "POST";
    const { headers } = request;
    const reading = this.account.readWebhook({ method, url, path, headers, body: Buffer.concat(pieces) });
    this.readings.push(reading);
    if (reading.kind !== "READ") return { status: 403, headers: {}, body: reading.message };
    const [webhookEvent] = reading.events;
    if (webhookEvent?.kind !== "CALL_IN") return reading.answer;
    if (this.takeCall) return this.takeCall(webhookEvent.call);
    return this.account.declineCall(webhookEvent.call, "BUSY", AbortSignal.timeout(1_000));
  }
}

/** Waits until something is true, and throws when it never is. */
export async function until<T>(what: string, read: () => T | undefined | null | false): Promise<T> {
  const deadline = performance.now() + 25_000;
  for (;;) {
    const value = read();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`It never came to this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Collects the audio and the signals that arrive on the port of a call. */
export function listenTo(port: MessagePort): { frames: Uint8Array[]; closed: boolean } {
  const heard = { frames: [] as Uint8Array[], closed: false };
  port.on("message", (message: unknown) => {
    if (message instanceof Uint8Array) heard.frames.push(message);
    else if ((message as { closed?: boolean }).closed) heard.closed = true;
  });
  port.start();
  return heard;
}
