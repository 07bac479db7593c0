import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createDeepgramStt } from "#src/audio/speech-providers/deepgram/deepgram-stt.ts";
import { createDeepgramTts } from "#src/audio/speech-providers/deepgram/deepgram-tts.ts";
import { createElevenLabsTts } from "#src/audio/speech-providers/elevenlabs/elevenlabs-tts.ts";
import { createOpenAiStt } from "#src/audio/speech-providers/openai-compatible/openai-stt.ts";
import { createOpenAiTts } from "#src/audio/speech-providers/openai-compatible/openai-tts.ts";
import type { Stt, SpeechEvent } from "#src/audio/stt/stt.ts";
import { encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { createOpenSocket } from "#src/platform/http/safe-socket.ts";
import { type ProviderRequest, ProviderServer, readForm } from "../kit/provider-server.ts";
import { findContracts } from "../kit/repository.ts";
import { SocketServer } from "../kit/socket-server.ts";

/** The documents that the providers publish. They are not part of this repository. */
const published = findContracts("deepgram-asyncapi.yml", "deepgram.yml", "elevenlabs.json", "openai.json");

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: object;
}
interface Operation {
  parameters: Parameter[];
  requestBody: { content: Record<string, { schema: object }> };
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  channels: Record<string, { bindings: { ws: { query: { properties: Record<string, object> } } } }>;
  components: { schemas: Record<string, unknown> };
}

function load(name: string): Document {
  const text = readFileSync(published.path(name), "utf8");
  return (name.endsWith(".json") ? JSON.parse(text) : parseYaml(text)) as Document;
}

function validatorsOf(document: Document) {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true });
  // Alternatives of Deepgram's document overlap, so "exactly one of" could not be met by any value.
  const inPlace = (schema: unknown) =>
    JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"document#/components').replaceAll('"oneOf":', '"anyOf":'),
    ) as object;
  ajv.addSchema({ $id: "document", components: inPlace(document.components) });
  return (schema: object): ValidateFunction => ajv.compile(inPlace(schema));
}

function assertFits(validate: ValidateFunction, value: unknown): void {
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

function partsFor(port: number) {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${port}`] });
  return { safeFetch: createSafeFetch(guard), safeOpen: createSafeOpen(guard), openSocket: createOpenSocket(guard) };
}

function listen(stt: Stt) {
  const events: SpeechEvent[] = [];
  const onEvent = (event: SpeechEvent) => void events.push(event);
  const stream = stt.open({ language: "en-US", hints: ["Ann"], expected: null, onEvent });
  return { stream, events };
}

/** Every parameter of the query is one of the document's, and its value fits. */
function assertQueryFits(
  compile: (schema: object) => ValidateFunction,
  query: URLSearchParams,
  known: Map<string, object>,
) {
  for (const [name, value] of query) {
    expect([...known.keys()]).toContain(name);
    assertFits(compile(known.get(name) ?? {}), value);
  }
}

describe.skipIf(!published.areThere)(`the documents that providers of speech publish${published.why}`, () => {
  test("Deepgram's streaming recognition: what is sent and understood fits", async () => {
    const document = load("deepgram-asyncapi.yml");
    const compile = validatorsOf(document);
    const named = (name: string) => compile({ $ref: `#/components/schemas/ListenV1_ListenV1${name}` });
    const metadata = { request_id: "4b0b3d7e-6a44-4f6d-9a5f-3c9d3f3f0a01", model_uuid: "u" };
    const result = {
      type: "Results",
      channel_index: [0, 1],
      start: 0,
      duration: 1.04,
      is_final: true,
      speech_final: true,
      from_finalize: true,
      channel: {
        alternatives: [
          { transcript: "Hi.", confidence: 0.9, words: [{ word: "hi", start: 0, end: 0.5, confidence: 0.9 }] },
        ],
      },
      metadata: { ...metadata, model_info: { name: "n", version: "v", arch: "a" } },
    };
    const others = [
      ["SpeechStarted", { type: "SpeechStarted", channel: [0, 1], timestamp: 0.1 }],
      ["UtteranceEnd", { type: "UtteranceEnd", channel: [0, 1], last_word_end: 0.5 }],
      [
        "Metadata",
        {
          type: "Metadata",
          transaction_key: "deprecated",
          request_id: metadata.request_id,
          sha256: "0",
          created: "2026-11-21T00:00:00Z",
          duration: 1,
          channels: 1,
        },
      ],
    ] as const;
    assertFits(named("Results"), result);
    for (const [name, message] of others) assertFits(named(name), message);
    await using server = await SocketServer.start([
      (socket) => {
        for (const [, message] of others) socket.send(message);
        socket.onMessage((message) => {
          if (typeof message === "string" && message.includes("Finalize")) socket.send(result);
        });
      },
    ]);
    const settings = { baseUrl: server.origin, apiKey: "k", model: "nova-3" };
    const limits = { tickMs: 20, keepAliveMs: 30 };
    const stt = createDeepgramStt(settings, partsFor(server.port).openSocket, limits);
    const { stream, events } = listen(stt);
    stream.write(encodeToneSpeech("Hi."));
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "Hi.", confidence: 0.9 }]);
    await expect.poll(() => server.sockets[0]?.commands.at(-1)?.type).toBe("KeepAlive");
    stream.close();
    await expect.poll(() => server.sockets[0]?.commands.at(-1)?.type).toBe("CloseStream");
    const [socket] = server.sockets;
    expect(socket?.url.pathname).toBe("/v1/listen");
    const known = new Map(Object.entries(document.channels["/v1/listen"]?.bindings.ws.query.properties ?? {}));
    assertQueryFits(compile, socket?.url.searchParams ?? new URLSearchParams(), known);
    for (const command of socket?.commands ?? []) assertFits(named(String(command.type)), command);
  });

  async function speakTo(make: (origin: string, port: number) => Tts): Promise<ProviderRequest> {
    await using server = await ProviderServer.start([
      (response) => response.writeHead(200).end(Buffer.alloc(800, 0x55)),
    ]);
    const voice = make(server.origin, server.port);
    await Array.fromAsync(voice.speak("Hi.", { language: "en-US", voiceId: null }, new AbortController().signal));
    const [request] = server.received;
    if (!request) throw new Error("nothing was sent");
    return request;
  }

  function queryOf(operation: Operation | undefined): Map<string, object> {
    const parameters = (operation?.parameters ?? []).filter((one) => one.in === "query");
    return new Map(parameters.map(({ name, schema }) => [name, schema]));
  }

  test("Deepgram's Aura: the request fits", async () => {
    const document = load("deepgram.yml");
    const compile = validatorsOf(document);
    const settings = { apiKey: "k", model: "", voice: "aura-2-thalia-en" };
    const request = await speakTo((baseUrl, port) =>
      createDeepgramTts({ ...settings, baseUrl }, partsFor(port).safeOpen),
    );
    const operation = document.paths["/v1/speak"]?.post;
    const { pathname, searchParams } = new URL(request.url, "http://server");
    expect([pathname, request.headers.authorization]).toEqual(["/v1/speak", "Token k"]);
    assertQueryFits(
      compile,
      new URLSearchParams([...searchParams].filter(([name]) => name !== "sample_rate")),
      queryOf(operation),
    );
    // The document says that rates are numbers or texts of a number; 8000 is one of mu-law's.
    expect(JSON.stringify(document.components.schemas)).toMatch(/"8000"[^}]*mulaw/);
    expect(searchParams.get("sample_rate")).toBe("8000");
    assertFits(
      compile(operation?.requestBody.content["application/json"]?.schema ?? {}),
      JSON.parse(request.body.toString()),
    );
  });

  test.each(["eleven_flash_v2_5", "eleven_multilingual_v2"])("ElevenLabs with %s: the request fits", async (model) => {
    const document = load("elevenlabs.json");
    const compile = validatorsOf(document);
    const settings = { apiKey: "k", model, voice: "21m00Tcm4TlvDq8ikWAM" };
    const request = await speakTo((baseUrl, port) =>
      createElevenLabsTts({ ...settings, baseUrl }, partsFor(port).safeOpen),
    );
    const operation = document.paths["/v1/text-to-speech/{voice_id}/stream"]?.post;
    const { pathname, searchParams } = new URL(request.url, "http://server");
    expect([pathname, request.headers["xi-api-key"]]).toEqual(["/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream", "k"]);
    assertQueryFits(compile, searchParams, queryOf(operation));
    const body = JSON.parse(request.body.toString()) as Record<string, unknown>;
    assertFits(compile(operation?.requestBody.content["application/json"]?.schema ?? {}), body);
    expect("language_code" in body).toBe(model === "eleven_flash_v2_5");
  });

  test("OpenAI's speech: the request fits", async () => {
    const compile = validatorsOf(load("openai.json"));
    const settings = { apiKey: "k", model: "gpt-4o-mini-tts", voice: "alloy" };
    const request = await speakTo((origin, port) =>
      createOpenAiTts({ ...settings, baseUrl: `${origin}/v1` }, partsFor(port).safeOpen),
    );
    expect([request.url, request.headers.authorization]).toEqual(["/v1/audio/speech", "Bearer k"]);
    assertFits(compile({ $ref: "#/components/schemas/CreateSpeechRequest" }), JSON.parse(request.body.toString()));
  });

  test("OpenAI's transcription of an utterance: the request fits, and a reply of its shape is understood", async () => {
    const compile = validatorsOf(load("openai.json"));
    const json = { text: "Hi.", usage: { type: "duration", seconds: 1 } };
    assertFits(compile({ $ref: "#/components/schemas/CreateTranscriptionResponseJson" }), json);
    await using server = await ProviderServer.start([{ status: 200, json }]);
    const settings = { baseUrl: `${server.origin}/v1`, apiKey: "k", model: "whisper-1" };
    const { stream, events } = listen(createOpenAiStt(settings, partsFor(server.port).safeFetch));
    stream.write(encodeToneSpeech("Hi."));
    stream.flush();
    await expect.poll(() => events).toEqual([{ kind: "FINAL", text: "Hi.", confidence: null }]);
    const [request] = server.received;
    if (!request) throw new Error("nothing was sent");
    expect(request.url).toBe("/v1/audio/transcriptions");
    const form = [...readForm(request)].map(([name, { content }]) => [name, content.toString("latin1")]);
    const fields = { ...Object.fromEntries(form), temperature: 0 };
    assertFits(compile({ $ref: "#/components/schemas/CreateTranscriptionRequest" }), fields);
  });
});
