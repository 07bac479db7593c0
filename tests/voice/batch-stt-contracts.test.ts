import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { createDeepgramBatchStt } from "#src/audio/speech-providers/deepgram/deepgram-batch-stt.ts";
import { createOpenAiBatchStt } from "#src/audio/speech-providers/openai-compatible/openai-batch-stt.ts";
import { createOutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { createSafeFetch, createSafeOpen } from "#src/platform/http/safe-fetch.ts";
import { ProviderServer, readForm } from "../kit/provider-server.ts";
import { findContracts } from "../kit/repository.ts";

/** The documents that the providers publish: openai.json and deepgram.yml. They are not part of this repository. */
const { areThere, why, path } = findContracts("openai.json", "deepgram.yml");
const NEVER = new AbortController().signal;
const URL_SOURCE = { url: "https://example.com/call.wav" };

interface Document {
  paths: Record<
    string,
    Record<string, { parameters: { name: string; in: string; required?: boolean; schema: object }[] }>
  >;
  components: { schemas: Record<string, unknown> };
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

function partsFor(port: number) {
  const guard = createOutboundGuard({ allowPrivateNetwork: false, allow: [`127.0.0.1:${port}`] });
  return { safeFetch: createSafeFetch(guard), safeOpen: createSafeOpen(guard) };
}

function assertFits(validate: ValidateFunction, value: unknown): void {
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

describe.skipIf(!areThere)(`OpenAI's published document${why}`, () => {
  let compile: (schema: object) => ValidateFunction;
  const named = (name: string) => compile({ $ref: `#/components/schemas/${name}` });
  beforeAll(() => {
    compile = validatorsOf(JSON.parse(readFileSync(path("openai.json"), "utf8")) as Document);
  });

  const segment = {
    id: 0,
    seek: 0,
    start: 0,
    end: 1.5,
    text: " Hi.",
    tokens: [1],
    temperature: 0,
    avg_logprob: -0.1,
    compression_ratio: 1,
    no_speech_prob: 0.01,
  };
  const replies: [string, string, object, object][] = [
    [
      "whisper-1",
      "CreateTranscriptionResponseVerboseJson",
      { language: "english", duration: 2, text: "Hi.", segments: [segment], usage: { type: "duration", seconds: 2 } },
      {
        text: "Hi.",
        language: "english",
        durationSeconds: 2,
        segments: [{ startMs: 0, endMs: 1500, speaker: null, text: "Hi." }],
      },
    ],
    [
      "gpt-4o-transcribe-diarize",
      "CreateTranscriptionResponseDiarizedJson",
      {
        task: "transcribe",
        duration: 2,
        text: "Hi.",
        segments: [{ type: "transcript.text.segment", id: "s1", start: 0, end: 1.5, text: "Hi.", speaker: "A" }],
      },
      { text: "Hi.", durationSeconds: 2, segments: [{ startMs: 0, endMs: 1500, speaker: "A", text: "Hi." }] },
    ],
    [
      "gpt-4o-mini-transcribe",
      "CreateTranscriptionResponseJson",
      { text: "Hi.", usage: { type: "duration", seconds: 2 } },
      { text: "Hi.", durationSeconds: 2, segments: [] },
    ],
  ];
  test.each(replies)(
    "%s: our request fits, and a reply shaped by %s is understood",
    async (model, schema, json, expected) => {
      assertFits(named(schema), json);
      await using store = await ProviderServer.start([(response) => response.writeHead(200).end("audio")]);
      await using server = await ProviderServer.start([{ status: 200, json }]);
      const guard = createOutboundGuard({
        allowPrivateNetwork: false,
        allow: [server, store].map(({ port }) => `127.0.0.1:${port}`),
      });
      const parts = { safeFetch: createSafeFetch(guard), safeOpen: createSafeOpen(guard) };
      const batchStt = createOpenAiBatchStt(
        { baseUrl: `${server.origin}/v1`, apiKey: "k", model, timeoutMs: 20_000 },
        parts,
      );
      expect(
        await batchStt.transcribe({ url: `${store.origin}/call.wav` }, { language: "en-US" }, NEVER),
      ).toMatchObject(expected);
      const [request] = server.received;
      if (!request) throw new Error("nothing was sent");
      expect(request.url).toBe("/v1/audio/transcriptions");
      const fields: Record<string, unknown> = {};
      for (const [name, { content }] of readForm(request)) {
        if (name.endsWith("[]")) fields[name.slice(0, -2)] = [content.toString()];
        else fields[name] = content.toString();
      }
      assertFits(named("CreateTranscriptionRequest"), fields);
    },
  );
});

describe.skipIf(!areThere)(`Deepgram's published document${why}`, () => {
  let document: Document;
  let compile: (schema: object) => ValidateFunction;
  beforeAll(() => {
    document = parseYaml(readFileSync(path("deepgram.yml"), "utf8")) as Document;
    compile = validatorsOf(document);
  });

  test("our request fits, and a reply shaped by it is understood", async () => {
    const words = [{ word: "hi", start: 0, end: 0.4, confidence: 0.9 }];
    const json = {
      metadata: {
        request_id: "4b0b3d7e-6a44-4f6d-9a5f-3c9d3f3f0a01",
        sha256: "00",
        created: "2026-11-21T00:00:00Z",
        duration: 2,
        channels: 1,
        models: ["m"],
        model_info: {},
      },
      results: {
        channels: [{ alternatives: [{ transcript: "Hi.", confidence: 0.9, words }], detected_language: "en" }],
        utterances: [
          {
            start: 0,
            end: 1.5,
            confidence: 0.9,
            channel: 0,
            transcript: "Hi.",
            words,
            speaker: 0,
            id: "4b0b3d7e-6a44-4f6d-9a5f-3c9d3f3f0a02",
          },
        ],
      },
    };
    assertFits(compile({ $ref: "#/components/schemas/ListenV1Response" }), json);
    await using server = await ProviderServer.start([{ status: 200, json }]);
    const settings = { baseUrl: server.origin, apiKey: "k", model: "nova-3", timeoutMs: 20_000 };
    const { safeFetch } = partsFor(server.port);
    const transcript = await createDeepgramBatchStt(settings, safeFetch).transcribe(
      URL_SOURCE,
      { language: null },
      NEVER,
    );
    expect(transcript).toMatchObject({
      text: "Hi.",
      language: "en",
      durationSeconds: 2,
      segments: [{ endMs: 1500, speaker: "SPEAKER_0" }],
    });
    const [request] = server.received;
    if (!request) throw new Error("nothing was sent");
    assertFits(compile({ $ref: "#/components/schemas/ListenV1RequestUrl" }), JSON.parse(request.body.toString()));
    const parameters = document.paths["/v1/listen"]?.post?.parameters ?? [];
    expect(request.headers.authorization).toBe("Token k");
    for (const [name, value] of new URL(request.url, server.origin).searchParams) {
      const parameter = parameters.find((one) => one.in === "query" && one.name === name);
      expect(parameter, name).toBeDefined();
      const sent = value === "true" ? true : value;
      assertFits(compile(parameter?.schema ?? {}), sent);
    }
  });

  test.each([
    ["a string", "The audio is not readable."],
    ["the legacy shape", { err_code: "Bad Request", err_msg: "The audio is not readable.", request_id: "r" }],
    [
      "the modern shape",
      { category: "INVALID_AUDIO", message: "The audio is not readable.", details: "", request_id: "r" },
    ],
  ])("a refusal as %s is a PERMANENT failure", async (_name, json) => {
    assertFits(compile({ $ref: "#/components/schemas/ErrorResponse" }), json);
    await using server = await ProviderServer.start([{ status: 400, json }]);
    const settings = { baseUrl: server.origin, apiKey: "k", model: "nova-3", timeoutMs: 20_000 };
    const { safeFetch } = partsFor(server.port);
    const transcription = createDeepgramBatchStt(settings, safeFetch).transcribe(URL_SOURCE, { language: null }, NEVER);
    await expect(transcription).rejects.toMatchObject({ kind: "PERMANENT" });
  });
});
