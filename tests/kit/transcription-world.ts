import { ProviderServer } from "./provider-server.ts";
import { saidInTones } from "./tone-recordings.ts";
import { TranscriptionClient } from "./transcription-client.ts";
import { World } from "./world.ts";

/** The recording that the store of a TranscriptionWorld gives: WAV, 16-bit mono at 8 kHz. */
export const HEARD = saidInTones("said at an address");
const DEEPGRAM_REPLY = {
  metadata: { duration: 7.25 },
  results: { channels: [{ alternatives: [{ transcript: "Hello." }] }] },
};

/** A service whose providers of transcription and whose store of recordings are of the test. */
export class TranscriptionWorld implements AsyncDisposable {
  readonly world: World;
  readonly client: TranscriptionClient;
  /** Answers any address with HEARD. */
  readonly store: ProviderServer;
  readonly deepgram: ProviderServer;
  readonly #servers: ProviderServer[];

  private constructor(
    world: World,
    servers: { store: ProviderServer; deepgram: ProviderServer; openAi: ProviderServer },
  ) {
    this.world = world;
    this.client = new TranscriptionClient(world);
    this.store = servers.store;
    this.deepgram = servers.deepgram;
    this.#servers = Object.values(servers);
  }

  static async start(): Promise<TranscriptionWorld> {
    const store = await ProviderServer.start([
      (response) => response.writeHead(200, { "content-type": "audio/wav" }).end(HEARD),
    ]);
    const openAi = await ProviderServer.start([
      { status: 429 },
      { status: 200, json: { text: "Hi.", language: "english", duration: 4 } },
    ]);
    const deepgram = await ProviderServer.start([{ status: 200, json: DEEPGRAM_REPLY }]);
    const world = await World.start({
      env: {
        OUTBOUND_ALLOW: [store, openAi, deepgram].map(({ port }) => `127.0.0.1:${port}`).join(","),
        OPENAI_BASE_URL: `${openAi.origin}/v1`,
        DEEPGRAM_URL: deepgram.origin,
        DEEPGRAM_API_KEY: "dg",
      },
    });
    return new TranscriptionWorld(world, { store, deepgram, openAi });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    for (const server of this.#servers) await server[Symbol.asyncDispose]();
  }
}
