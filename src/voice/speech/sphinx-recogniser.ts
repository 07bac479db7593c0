import type { Recogniser, SpeechStream, SpeechStreamOptions } from "#src/voice/speech-ports.ts";
import { readExpectedAnswer } from "./expected-answer.ts";
import { createGrammar, type Grammar } from "./grammar.ts";
import { ProcessGate } from "./process-gate.ts";
import type { Sphinx } from "./sphinx.ts";
import { UtteranceStream } from "./utterance-stream.ts";

const AT_ONCE = 2;
const MAX_WAITING = 16;

/**
 * The program pocketsphinx: hears expected answers in English, an utterance at a time, and nothing else. A stream
 * without an answer that a grammar can describe is FAILED, code UNSUPPORTED.
 */
export function createSphinxRecogniser(sphinx: Sphinx): Recogniser {
  const gate = new ProcessGate(AT_ONCE, MAX_WAITING);
  return {
    name: "LOCAL",
    open(options) {
      const grammar = grammarOf(options, sphinx);
      if (typeof grammar === "string") return refuse(options, grammar);
      const hear = (samples: Int16Array, signal: AbortSignal) =>
        gate.run(async () => ({ text: await sphinx.hear(samples, grammar, signal), confidence: null }));
      return new UtteranceStream({ name: "The local engine", hear }, (event) => options.onEvent(event));
    },
  };
}

function grammarOf({ language, expected }: SpeechStreamOptions, sphinx: Sphinx): Grammar | string {
  if (!/^en\b/i.test(language)) return "The local engine hears English only.";
  const grammar = expected && createGrammar(readExpectedAnswer(expected), (word) => sphinx.isKnown(word));
  return grammar ?? "The local engine hears expected answers only: yes and no, numbers, dates, times and choices.";
}

function refuse(options: SpeechStreamOptions, message: string): SpeechStream {
  let isClosed = false;
  // The owner has not got its stream yet.
  queueMicrotask(() => {
    if (!isClosed) options.onEvent({ kind: "FAILED", code: "UNSUPPORTED", message });
  });
  return { write: () => undefined, flush: () => undefined, close: () => void (isClosed = true) };
}
