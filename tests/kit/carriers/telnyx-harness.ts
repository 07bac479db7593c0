import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch } from "#src/platform/http/safe-fetch.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { CarrierAccount, CarrierWebhookEvent, WebhookReading } from "#src/telephony/carriers/account.ts";
import type { CarrierEvent, DialRequest } from "#src/telephony/carriers/carrier.ts";
import { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { telnyxProvider } from "#src/telephony/carriers/telnyx/telnyx-provider.ts";
import { TelnyxServer } from "./telnyx-server.ts";

/** Longest time that anything here may take. */
const PATIENCE_MS = 25_000;
const ACCOUNT_ID = "0190a7c0-0000-7000-8000-000000000001";
const HOOK = `/api/webhooks/carriers/telnyx/${ACCOUNT_ID}/`;

/** One node's share of the service: an account, its media socket gateway, and the HTTP server for Telnyx's webhooks. */
export class TelnyxHarness implements AsyncDisposable {
  readonly telnyx: TelnyxServer;
  readonly account: CarrierAccount;
  readonly media: MediaSocketGateway;
  /** Every webhook as it was read, in order of arrival. */
  readonly readings: WebhookReading[] = [];
  /** Events that arrived by another way than a webhook. */
  readonly delivered: CarrierEvent[] = [];
  readonly publicUrl: string;
  /** Takes an incoming call. */
  onCallIn: (call: { providerCallId: string; from: string; to: string }) => void = () => undefined;
  readonly #client: Server;
  readonly #keys: Record<string, string>;

  private constructor(telnyx: TelnyxServer, client: Server, keys: Record<string, string>) {
    this.telnyx = telnyx;
    this.#client = client;
    this.publicUrl = `http://127.0.0.1:${(client.address() as AddressInfo).port}`;
    this.media = new MediaSocketGateway({ publicUrl: this.publicUrl, keys: () => [Buffer.alloc(32, 7)] });
    this.#keys = { ...telnyx.keys, ...keys };
    this.account = this.#open(this.media);
  }

  /** Opens the account as in a new process that knows nothing of earlier calls. */
  openAnew(): CarrierAccount {
    return this.#open(new MediaSocketGateway({ publicUrl: this.publicUrl, keys: () => [Buffer.alloc(32, 7)] }));
  }

  #open(media: MediaSocketGateway): CarrierAccount {
    const { apiKey = "", ...settings } = this.#keys;
    const guard = createOutboundGuard({ allowPrivateNetwork: true, allow: [] });
    return telnyxProvider.open(
      { id: ACCOUNT_ID, workspaceId: "w", settings, secrets: { apiKey } },
      {
        fetch: createSafeFetch(guard),
        publicUrl: this.publicUrl,
        media,
        deliver: (event) => void this.delivered.push(event),
        log: createLog("silent"),
        now: Date.now,
      },
    );
  }

  static async start(keys: Record<string, string> = {}): Promise<TelnyxHarness> {
    const telnyx = await TelnyxServer.start();
    const client = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        const status = harness.#take(request.url ?? "", request.headers, Buffer.concat(pieces));
        response.writeHead(status).end();
      });
    });
    client.on("upgrade", (request, socket, head) => harness.media.takeSocket(request, socket, head, {}));
    await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
    const harness: TelnyxHarness = new TelnyxHarness(telnyx, client, keys);
    return harness;
  }

  #take(path: string, headers: Record<string, string | string[] | undefined>, body: Buffer): number {
    const url = this.publicUrl + path;
    const reading = this.account.readWebhook({ method: "POST", url, path: path.slice(HOOK.length), headers, body });
    this.readings.push(reading);
    if (reading.kind !== "READ") return 403;
    for (const event of reading.events) if (event.kind === "CALL_IN") this.onCallIn(event.call);
    return reading.answer.status;
  }

  /** All events read from webhooks. */
  get webhookEvents(): CarrierWebhookEvent[] {
    return this.readings.flatMap((reading) => (reading.kind === "READ" ? reading.events : []));
  }

  /** The events of calls that webhooks reported, in order of arrival. */
  get events(): CarrierEvent[] {
    return this.webhookEvents.flatMap((webhookEvents) => (webhookEvents.kind === "CALL" ? [webhookEvents.event] : []));
  }

  /** Waits until `look` finds something. */
  async until<T>(look: () => T | undefined | false | null): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = look();
      if (found) return found;
      if (performance.now() > deadline) throw new Error(`Waited in vain for ${look.toString()}`);
      await sleep(10);
    }
  }

  /** Waits until a webhook reports the end of a call. */
  ended(): Promise<CarrierEvent & { type: "ENDED" }> {
    return this.until(() => this.events.find((event) => event.type === "ENDED"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.media.closeAll();
    await this.telnyx.close();
    await new Promise((resolve) => {
      this.#client.close(resolve);
      this.#client.closeAllConnections();
    });
  }
}

/** Returns a dial from a number of the account. */
export function dialTo(to: string, more: Partial<DialRequest> = {}): DialRequest {
  return {
    attemptId: uuidv7(),
    workspaceId: "w",
    from: "+15125550001",
    to,
    ringTimeoutSeconds: 30,
    eventsUrl: "",
    ...more,
  };
}

/** A signal that never aborts. */
export const never = new AbortController().signal;
