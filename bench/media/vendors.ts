import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { encodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { makeReply } from "./sounds.ts";

const RATE_HZ = 8_000;
/** A vendor of STT tells its guess after each second of sound. */
const GUESS_SAMPLES = RATE_HZ;
/** Samples of which one is looked at. */
const STEP = 8;
/** Samples above the first segments of mu-law that make speech: a tenth of a second. */
const LOUD_SAMPLES = RATE_HZ / 10 / STEP;
/** Words that end a turn after the usual pause: neither a whole answer nor half a sentence. */
const WORDS = "I come on Monday";
const SAMPLES_PER_CHARACTER = 480;
const SOUND = Buffer.from(encodeMuLaw(makeReply()));

/**
 * Stand-ins for the vendors of a call, on the loopback and in their protocols: Deepgram for STT and TTS, OpenAI for the
 * model. They answer at once, so that what they take is next to nothing.
 */
export class BenchVendors {
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  #utterances = 0;
  #answers = 0;
  #spoken = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on("upgrade", (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, (one) => this.#listen(one)),
    );
  }

  static async open(): Promise<BenchVendors> {
    const vendors = new BenchVendors();
    await new Promise<void>((resolve) => vendors.#server.listen(0, "127.0.0.1", resolve));
    return vendors;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Utterances understood, answers of the model, and texts spoken. */
  get counts(): { utterances: number; answers: number; spoken: number } {
    return { utterances: this.#utterances, answers: this.#answers, spoken: this.#spoken };
  }

  close(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** STT: gives words for sound that was loud, and none for silence. */
  #listen(socket: WebSocket): void {
    let [samples, guessedAt, loud] = [0, 0, 0];
    const tell = (isFinal: boolean) => {
      const text = loud >= LOUD_SAMPLES ? WORDS : "";
      if (isFinal && text) this.#utterances++;
      if (isFinal) loud = 0;
      guessedAt = samples;
      socket.send(JSON.stringify(resultOf(text, samples, isFinal)));
    };
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) {
        samples += data.length;
        for (let i = 0; i < data.length; i += STEP) if ((~(data[i] as number) & 0x70) >= 0x30) loud++;
        if (samples - guessedAt >= GUESS_SAMPLES) tell(false);
      } else if (data.toString().includes("Finalize")) tell(true);
      else if (data.toString().includes("CloseStream")) socket.close();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      if (request.url?.startsWith("/v1/speak")) this.#speak(body, response);
      else this.#think(response);
    });
  }

  #speak(body: string, response: ServerResponse): void {
    const { text } = JSON.parse(body) as { text: string };
    this.#spoken++;
    response.writeHead(200, { "content-type": "audio/basic" });
    response.end(SOUND.subarray(0, text.length * SAMPLES_PER_CHARACTER));
  }

  #think(response: ServerResponse): void {
    // Each answer differs, so that none is taken from the cache of phrases.
    const text = `Thank you, this is answer number ${++this.#answers} and it asks on which other day you would like to come`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const word of text.match(/\S+\s*/g) ?? []) writeChunk(response, { role: "assistant", content: word }, null);
    writeChunk(response, {}, "stop");
    response.end("data: [DONE]\n\n");
  }
}

function resultOf(transcript: string, samples: number, isFinal: boolean): object {
  const alternatives = [{ transcript, confidence: 0.99, words: [] }];
  const times = { start: 0, duration: samples / RATE_HZ };
  return { type: "Results", ...times, is_final: isFinal, from_finalize: isFinal, channel: { alternatives } };
}

function writeChunk(response: ServerResponse, delta: object, finish: string | null): void {
  const chunk = {
    id: "bench",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish === null ? {} : { usage: { prompt_tokens: 500, completion_tokens: 20, total_tokens: 520 } }),
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
