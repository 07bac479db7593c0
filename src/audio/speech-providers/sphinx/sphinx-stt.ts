import { ProcessGate } from "#src/audio/speech-providers/process-gate.ts";
import type { Stt, SpeechStream, SpeechStreamOptions } from "#src/audio/stt/stt.ts";
import { UtteranceStream } from "#src/audio/stt/utterance-stream.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { type ExpectedAnswer, readExpectedAnswer } from "./expected-answer.ts";
import { createGrammar, type Grammar } from "./grammar.ts";
import type { Sphinx } from "./sphinx.ts";

const AT_ONCE = 2;
const MAX_WAITING = 16;

type Schema = SpeechStreamOptions["expected"];

/**
 * STT by the program pocketsphinx: recognises expected answers in English only, one utterance at a time, and before the
 * first question yes, no and greetings. For a question that no grammar can answer, the stream emits FAILED with code
 * UNSUPPORTED where another STT follows; the last STT goes on with the initial grammar, and logs that once.
 */
export function createSphinxStt(sphinx: Sphinx, log: Log): Stt {
  const gate = new ProcessGate(AT_ONCE, MAX_WAITING);
  let isReported = false;
  const onDeaf = () => {
    if (!isReported) log.warn("The local engine cannot hear free text, so it heard a question as yes and no only.");
    isReported = true;
  };
  return {
    name: "LOCAL",
    open(options) {
      if (!/^en\b/i.test(options.language)) return refuse(options, "The local engine hears English only.");
      const listener = new SphinxListener(sphinx, options.isLast === false ? null : onDeaf);
      const onEvent = (event: Parameters<typeof options.onEvent>[0]) => options.onEvent(event);
      if (options.expected && !listener.expect(options.expected)) return refuse(options, REFUSAL);
      const hear = (samples: Int16Array, signal: AbortSignal) => {
        const { grammar } = listener;
        return gate.run(async () => ({ text: await sphinx.hear(samples, grammar, signal), confidence: null }));
      };
      const stream = new UtteranceStream({ name: "The local engine", hear }, onEvent);
      return {
        write: (samples) => stream.write(samples),
        flush: () => stream.flush(),
        close: () => stream.close(),
        expect(schema) {
          if (listener.expect(schema)) return;
          stream.close();
          onEvent({ kind: "FAILED", code: "UNSUPPORTED", message: REFUSAL });
        },
      };
    },
  };
}

const REFUSAL = "The local engine hears expected answers only: yes and no, numbers, dates, times and choices.";

/** Grammar state of one stream. */
class SphinxListener {
  readonly #sphinx: Sphinx;
  readonly #onDeaf: (() => void) | null;
  #schema: Schema = null;
  #expected: ExpectedAnswer | null = null;
  #before: ExpectedAnswer | null = null;
  grammar: Grammar;

  /** `onDeaf` is called when this STT must make do with the initial grammar; null: another STT follows. */
  constructor(sphinx: Sphinx, onDeaf: (() => void) | null) {
    this.#sphinx = sphinx;
    this.#onDeaf = onDeaf;
    this.grammar = this.#make(null) as Grammar;
  }

  /** Sets the expected answer from now on; false when no grammar fits and another STT follows. */
  expect(schema: Schema): boolean {
    // The same question again must not replace the question before it.
    if (JSON.stringify(schema) === JSON.stringify(this.#schema)) return true;
    const asked = schema && readExpectedAnswer(schema);
    const before = this.#expected ?? this.#before;
    const grammar = asked && this.#make(asked, before);
    if (!grammar && !this.#onDeaf) return false;
    if (asked && !grammar) this.#onDeaf?.();
    this.#schema = schema;
    this.#expected = grammar ? asked : null;
    this.#before = before;
    this.grammar = grammar ?? (this.#make(null, before) as Grammar);
    return true;
  }

  #make(expected: ExpectedAnswer | null, before: ExpectedAnswer | null = null): Grammar | null {
    return createGrammar({ expected, before, isKnown: (word) => this.#sphinx.isKnown(word) });
  }
}

function refuse(options: SpeechStreamOptions, message: string): SpeechStream {
  let isClosed = false;
  // The owner does not have its stream yet.
  queueMicrotask(() => {
    if (!isClosed) options.onEvent({ kind: "FAILED", code: "UNSUPPORTED", message });
  });
  return { write: () => undefined, flush: () => undefined, close: () => void (isClosed = true) };
}
