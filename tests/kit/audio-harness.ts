import { createServer, type Server } from "node:http";
import type { MessagePort } from "node:worker_threads";
import { decodeMuLaw, encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import type { Begun, PageGateway } from "#src/interactions/web-calls/page-session.ts";
import { PageSession } from "#src/interactions/web-calls/page-session.ts";
import type { OpenedToken } from "#src/interactions/web-calls/store.ts";
import { PAGE_LIMITS } from "#src/interactions/web-calls/web-call-gateway.ts";
import type { WebCallMedia } from "#src/interactions/web-calls/web-call-media.ts";
import { acceptSocket, isSocketRequest } from "#src/platform/http/web-socket.ts";

const RATE_HZ = 8_000;
const FRAME = 160;

/**
 * Gateway for web phone pages with a stand-in for the media: it keeps the audio it receives, and plays a tone of its
 * own.
 */
export class AudioHarness implements PageGateway, AsyncDisposable {
  readonly whyNoAudio = async () => null;
  /** Samples received. */
  heard: Int16Array[] = [];
  /** Arrival time of each of them, by the clock of this process. */
  arrivals: number[] = [];
  digits: string[] = [];
  /** Number of times that the port reported its end. */
  closings = 0;
  /** Number of calls that were declined. */
  declines = 0;
  dialogue: WebCallMedia | undefined;
  port: MessagePort | undefined;
  readonly #server: Server;
  readonly #humHz: number;
  #hum: NodeJS.Timeout | undefined;

  private constructor(server: Server, humHz: number) {
    this.#server = server;
    this.#humHz = humHz;
  }

  static async start(humHz: number): Promise<AudioHarness> {
    const server = createServer((_request, response) => void response.writeHead(404).end());
    const harness = new AudioHarness(server, humHz);
    server.on("upgrade", (request, raw, head) => {
      if (!isSocketRequest(request)) return raw.destroy();
      const peer = acceptSocket(request, raw, head, PAGE_LIMITS, {});
      peer.open(new PageSession(peer, harness, request.headers.origin));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return harness;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as { port: number }).port}/`;
  }

  find(): Promise<OpenedToken> {
    const [id, workspaceId] = ["01a1fe79-1e08-70a4-ba58-ed3c99d68acb", "01a1fe79-1e08-70a4-ba58-ed3c99d68acc"];
    return Promise.resolve({ kind: "CALL", workspace_id: workspaceId, id, name: "Echo", allowed_origins: [] });
  }

  isAllowed(): boolean {
    return true;
  }

  begin(_workspaceId: string, _rowId: string, _mode: string, dialogue: WebCallMedia): Promise<Begun> {
    this.dialogue = dialogue;
    this.port = dialogue.source?.kind === "PORT" ? dialogue.source.port : undefined;
    this.port?.on("message", (message: unknown) => this.#take(message));
    return Promise.resolve({ kind: "STARTED", run: () => this.#startHum() });
  }

  decline(): Promise<void> {
    this.declines++;
    return Promise.resolve();
  }

  greet(): void {
    // Whoever comes is welcome.
  }

  follow(): void {
    // Nobody is rung here.
  }

  forget(): void {
    clearInterval(this.#hum);
  }

  onFault(error: unknown): void {
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#hum);
    this.port?.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(message: unknown): void {
    if (message instanceof Uint8Array) {
      this.heard.push(decodeMuLaw(message));
      this.arrivals.push(performance.now());
      return;
    }
    const { digits, closed } = message as { digits?: string; closed?: boolean };
    if (digits) this.digits.push(digits);
    if (closed) this.closings++;
  }

  /** Sends frames by the clock, however late the timer is. */
  #startHum(): void {
    const startedAt = performance.now();
    let sent = 0;
    this.#hum = setInterval(() => {
      for (; sent * 20 < performance.now() - startedAt; sent++) {
        const samples = Int16Array.from({ length: FRAME }, (_, i) =>
          Math.round(8_000 * Math.sin((2 * Math.PI * this.#humHz * (sent * FRAME + i)) / RATE_HZ)),
        );
        this.port?.postMessage(encodeMuLaw(samples));
      }
    }, 10);
  }
}

/** Returns the share of a tone in samples: 1 for that tone alone. */
export function shareOf(samples: Int16Array, hz: number): number {
  let [re, im, power] = [0, 0, 0];
  samples.forEach((sample, i) => {
    const angle = (2 * Math.PI * hz * i) / RATE_HZ;
    re += sample * Math.cos(angle);
    im += sample * Math.sin(angle);
    power += sample * sample;
  });
  return power === 0 ? 0 : (2 * (re * re + im * im)) / (samples.length * power);
}
