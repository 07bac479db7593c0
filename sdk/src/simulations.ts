import type { Forecast, RehearsalInput, Simulation, SimulationsGetQuery } from "./generated/shapes.ts";
import { SimulationsOperations } from "./generated/simulations.ts";
import type { RequestOptions } from "./resource.ts";
import { isEndedSimulation, readStates, readToEnd, type WatchOptions } from "./watch.ts";

/** Options for waiting for a run. */
export interface SimulationWaitOptions extends WatchOptions {
  /** Called with every state that was read; the last one has the report. */
  onProgress?: (run: Simulation) => void;
  /** False leaves the transcripts out of the report. Default true. */
  transcripts?: boolean;
}

const POLL_MS = 250;
const REHEARSAL_MS = 180_000;

/** Runs of test suites: a flow against simulated people, with nobody called. */
export class Simulations extends SimulationsOperations {
  /** Gives every state of a run as it is read, until it has ended. */
  progress(id: string, options: WatchOptions & SimulationsGetQuery = {}): AsyncGenerator<Simulation, Simulation> {
    const query = options.transcripts === undefined ? {} : { transcripts: options.transcripts };
    const look = (looking: RequestOptions) => this.get(id, query, looking);
    const watched = { subject: `Simulation ${id}`, pollMs: POLL_MS, look, isEnded: isEndedSimulation };
    return readStates(this.transport, watched, options);
  }

  /** Waits until a run has ended. */
  wait(id: string, options: SimulationWaitOptions = {}): Promise<Simulation> {
    return readToEnd(this.progress(id, options), options.onProgress);
  }

  /** Forecasts a call job. Answers once its sample conversations are over, which takes long with a hosted model. */
  override rehearse(body: RehearsalInput, options: RequestOptions = {}): Promise<Forecast> {
    return super.rehearse(body, { timeoutMs: REHEARSAL_MS, ...options });
  }
}
