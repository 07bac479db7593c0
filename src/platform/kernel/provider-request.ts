/** One request to a provider of speech or of language models, as it ended. */
export interface ProviderRequest {
  kind: "STT" | "TTS" | "MODEL" | "EMBEDDING";
  /** Kind of the provider, such as DEEPGRAM; never an address or a name that somebody chose. */
  provider: string;
  /** OK, ABANDONED when the caller stopped waiting before anything came, or the code of the fault. */
  result: string;
  /** Milliseconds until the first piece of the answer; null when none came. */
  firstMs: number | null;
  /** Tokens that a model counted. */
  tokens?: { input: number; output: number };
}

/** Called after each request to a provider. */
export type OnProviderRequest = (request: ProviderRequest) => void;

/** Settings for measuring a request. */
export interface Measuring {
  signal: AbortSignal;
  /** Returns the provider's code of a fault, or of the reason for which the signal aborted; undefined for others. */
  codeOf: (thrown: unknown) => string | undefined;
  /** Called once: when the answer is over, or when it is given up, because a provider may ignore its signal. */
  report: (result: string, firstMs: number | null) => void;
}

/**
 * Passes on the pieces of an answer and reports how it ended. `isFirst` picks the piece that the caller waits for;
 * `whenEmpty` is the result of an answer without one.
 */
export async function* measurePieces<Piece>(
  pieces: AsyncIterable<Piece>,
  isFirst: (piece: Piece) => boolean,
  whenEmpty: string,
  measuring: Measuring,
): AsyncGenerator<Piece, void> {
  const end = startMeasuring(measuring);
  let firstMs: number | null = null;
  try {
    for await (const piece of pieces) {
      if (isFirst(piece)) firstMs = end.noteFirst();
      yield piece;
    }
    end.over(firstMs === null ? whenEmpty : "OK");
  } catch (error) {
    end.failed(error);
    throw error;
  } finally {
    end.givenUp();
  }
}

/** Returns an answer that comes whole and reports how it ended. */
export async function measureAnswer<Answer>(answer: Promise<Answer>, measuring: Measuring): Promise<Answer> {
  const end = startMeasuring(measuring);
  try {
    const given = await answer;
    end.noteFirst();
    end.over("OK");
    return given;
  } catch (error) {
    end.failed(error);
    throw error;
  }
}

function startMeasuring({ signal, codeOf, report }: Measuring) {
  const startedAt = performance.now();
  let firstMs: number | null = null;
  let isOver = false;
  const over = (result: string): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", givenUp);
    report(result, firstMs);
  };
  function givenUp(): void {
    over(codeOf(signal.reason) ?? (firstMs === null ? "ABANDONED" : "OK"));
  }
  signal.addEventListener("abort", givenUp, { once: true });
  if (signal.aborted) givenUp();
  return {
    noteFirst: (): number => (firstMs ??= performance.now() - startedAt),
    over,
    failed: (error: unknown): void => over(codeOf(error) ?? "OTHER"),
    givenUp,
  };
}
