import { API_PREFIX } from "./calls.ts";
import { Pages } from "./pages.ts";
import type { Forecast, RehearseJob, StartReplay, SuiteProposal } from "./rehearsal-types.ts";
import type { Persona, Simulation, SimulationEntry, SimulationSource, StartSimulation } from "./simulation-types.ts";
import type { Call, Transport } from "./transport.ts";
import type { RequestOptions } from "./types.ts";
import { pollDelayMs, type WatchOptions } from "./watch.ts";

/** Options for waiting for a run. */
export interface SimulationWaitOptions extends WatchOptions {
  /** Called with every state that was read; the last one has the report. */
  onProgress?: (run: Simulation) => void;
  /** False leaves the transcripts out of the report. Default true. */
  transcripts?: boolean;
}

const SIMULATIONS = `${API_PREFIX}/simulations`;
const POLL_MS = 250;
const REHEARSAL_MS = 180_000;

/** Runs of test suites: a flow against simulated people, with nobody called. */
export class Simulations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a run. A repeat after a lost answer starts no second one. */
  start(run: StartSimulation, options: RequestOptions = {}): Promise<Simulation> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.#request({ method: "POST", path: SIMULATIONS, json: run, idempotencyKey }, options);
  }

  /** Lists runs, newest first. */
  list(options: RequestOptions & { size?: number; suite?: string } = {}): Pages<SimulationEntry> {
    return new Pages(this.#transport, SIMULATIONS, { size: options.size, suite: options.suite }, options);
  }

  /** Returns one run with its report. */
  get(id: string, options: RequestOptions & { transcripts?: boolean } = {}): Promise<Simulation> {
    return this.#request({ method: "GET", path: pathOf(id), query: { transcripts: options.transcripts } }, options);
  }

  /** Ends a run before it is over. */
  cancel(id: string, options: RequestOptions = {}): Promise<Simulation> {
    return this.#request({ method: "POST", path: `${pathOf(id)}/cancel` }, options);
  }

  /** Returns the request that started a run; `start` accepts it again. */
  source(id: string, options: RequestOptions = {}): Promise<SimulationSource> {
    return this.#request({ method: "GET", path: `${pathOf(id)}/source` }, options);
  }

  /** Returns the report of an ended run, as JUnit XML. */
  junit(id: string, options: RequestOptions = {}): Promise<string> {
    return this.#request({ method: "GET", path: `${pathOf(id)}/junit`, answer: "TEXT" }, options);
  }

  /** Waits until a run has ended. */
  async wait(id: string, options: SimulationWaitOptions = {}): Promise<Simulation> {
    for (;;) {
      const run = await this.get(id, options);
      options.onProgress?.(run);
      if (isEndedSimulation(run)) return run;
      const { clock, rateLimit } = this.#transport;
      await clock.sleep(pollDelayMs(rateLimit, options.pollMs ?? POLL_MS), options.signal);
    }
  }

  /** Makes a suite from a call; stores nothing. */
  fromCall(rowId: string, options: RequestOptions = {}): Promise<SuiteProposal> {
    const path = `${API_PREFIX}/call-rows/${encodeURIComponent(rowId)}/simulation`;
    return this.#request({ method: "POST", path }, options);
  }

  /** Starts a run that speaks the recorded side of past calls to a flow. */
  replay(replay: StartReplay, options: RequestOptions = {}): Promise<Simulation> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.#request({ method: "POST", path: `${SIMULATIONS}/replays`, json: replay, idempotencyKey }, options);
  }

  /** Forecasts a call job. Answers once its sample conversations are over, which takes long with a hosted model. */
  rehearse(job: RehearseJob, options: RequestOptions = {}): Promise<Forecast> {
    const patient = { timeoutMs: REHEARSAL_MS, ...options };
    return this.#request({ method: "POST", path: `${SIMULATIONS}/rehearsals`, json: job }, patient);
  }

  /** Lists the personas that suites may use. */
  personas(options: RequestOptions = {}): Promise<Persona[]> {
    return this.#request({ method: "GET", path: `${API_PREFIX}/personas` }, options);
  }

  #request<T>(call: Call, { signal, timeoutMs }: RequestOptions): Promise<T> {
    return this.#transport.request({ ...call, signal, timeoutMs });
  }
}

/** True for a run that will not change any more. */
export function isEndedSimulation({ state }: Pick<Simulation, "state">): boolean {
  return state !== "QUEUED" && state !== "RUNNING";
}

function pathOf(id: string): string {
  return `${SIMULATIONS}/${encodeURIComponent(id)}`;
}
