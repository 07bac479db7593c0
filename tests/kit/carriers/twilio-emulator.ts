import { createEmulator, type Emulator } from "emulate";
import twilioSdk from "twilio";
import { freePort } from "../free-port.ts";

const KEY = `SK${"0c".repeat(16)}`;
const KEY_SECRET = "0123456789abcdefghij0123456789ab";

/** A Twilio emulator written by others, with Twilio's own client to check what the adapter did in it. */
export class TwilioEmulator implements AsyncDisposable {
  readonly accountSid = `AC${"0b".repeat(16)}`;
  readonly authToken = "fedcba9876543210fedcba9876543210";
  readonly url: string;
  /** Twilio's client, unchanged except for the address. */
  readonly client: ReturnType<typeof twilioSdk>;
  readonly #emulator: Emulator;

  private constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.url = emulator.url;
    this.client = twilioSdk(this.accountSid, this.authToken, { httpClient: new LocalClient(this.url) });
  }

  /** Starts the emulator with one number. */
  static async start(number: string): Promise<TwilioEmulator> {
    const account = { sid: `AC${"0b".repeat(16)}`, auth_token: "fedcba9876543210fedcba9876543210" };
    const twilio = {
      account: { ...account, friendly_name: "Offline" },
      api_keys: [{ sid: KEY, secret: KEY_SECRET, friendly_name: "Key" }],
      phone_numbers: [{ phone_number: number, friendly_name: "Ours", capabilities: { voice: true, sms: true } }],
    };
    return new TwilioEmulator(await createEmulator({ service: "twilio", port: await freePort(), seed: { twilio } }));
  }

  /** Fields that an operator enters. */
  get keys(): Record<string, string> {
    const { accountSid, authToken } = this;
    return { accountSid, authToken, apiKeySid: KEY, apiKeySecret: KEY_SECRET };
  }

  /** Triggers an event; throws when the emulator refuses. */
  async simulate(what: string, form: Record<string, string>): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${this.accountSid}:${this.authToken}`).toString("base64")}`;
    const init = { method: "POST", headers: { authorization }, body: new URLSearchParams(form) };
    const reply = await fetch(`${this.url}/_twilio/simulate/${what}`, init);
    if (!reply.ok) throw new Error(`${what}: ${reply.status} ${await reply.text()}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#emulator.close();
  }
}

class LocalClient extends twilioSdk.RequestClient {
  readonly #url: string;
  constructor(url: string) {
    super();
    this.#url = url;
  }
  override request<T>(options: Parameters<typeof twilioSdk.RequestClient.prototype.request<T>>[0]) {
    return super.request<T>({ ...options, uri: options.uri.replace("https://api.twilio.com", this.#url) });
  }
}
