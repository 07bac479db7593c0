/* Made from the OpenAPI document of the service; see CONTRIBUTING.md. */
import type { Pages } from "../pages.ts";
import { pathOf, type RequestOptions, Resource } from "../resource.ts";
import type { Forecast, Persona, RehearsalInput, ReplayInput, Simulation, SimulationEntry, SimulationInput, SimulationPage, SimulationSource, SimulationsFromSentenceBody, SimulationsGetQuery, SimulationsListQuery, SuiteProposal } from "./shapes.ts";

/** Operations of the API that the resource simulations of the client has. */
export class SimulationsOperations extends Resource {
  /**
   * Run a test suite against a flow.
   * Nobody is called and nothing leaves the process. Answers at once; the run goes on by itself. Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  start(body: SimulationInput, options: RequestOptions = {}): Promise<Simulation> {
    return this.sendRequest({ method: "POST", path: pathOf`/simulations`, json: body, takesKey: true }, options);
  }

  /**
   * List runs of test suites, newest first.
   * Needs FLOWS_READ.
   */
  list(query: SimulationsListQuery = {}, options: RequestOptions = {}): Pages<SimulationEntry, SimulationPage> {
    return this.readPages({ path: pathOf`/simulations`, query }, options);
  }

  /**
   * Read a run of a test suite with its report.
   * Needs FLOWS_READ.
   */
  get(id: string, query: SimulationsGetQuery = {}, options: RequestOptions = {}): Promise<Simulation> {
    return this.sendRequest({ method: "GET", path: pathOf`/simulations/${id}`, query }, options);
  }

  /**
   * Read what a run of a test suite was asked for.
   * Sent to POST /simulations, it starts the same against the flow as it is by then. Needs FLOWS_READ.
   */
  source(id: string, options: RequestOptions = {}): Promise<SimulationSource> {
    return this.sendRequest({ method: "GET", path: pathOf`/simulations/${id}/source` }, options);
  }

  /**
   * End a run of a test suite before it is over.
   * Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  cancel(id: string, options: RequestOptions = {}): Promise<Simulation> {
    return this.sendRequest({ method: "POST", path: pathOf`/simulations/${id}/cancel`, takesKey: true }, options);
  }

  /**
   * Read the report of a run as JUnit XML.
   * 409 while the run is not over. Needs FLOWS_READ.
   */
  junit(id: string, options: RequestOptions = {}): Promise<string> {
    return this.sendRequest({ method: "GET", path: pathOf`/simulations/${id}/junit`, answer: "TEXT" }, options);
  }

  /**
   * List the personas that suites may name.
   * Needs FLOWS_READ.
   */
  personas(options: RequestOptions = {}): Promise<Persona[]> {
    return this.sendRequest({ method: "GET", path: pathOf`/personas` }, options);
  }

  /**
   * Speak the recorded side of past calls to a flow, and report what differs.
   * Required: flowId or flowApiId. Answers at once with a run of kind REPLAY. Nobody is called. Its report is shown to credentials that may read calls. Needs FLOWS_WRITE.
   * Sends an Idempotency-Key, so that a repeat does nothing twice.
   */
  replay(body: ReplayInput, options: RequestOptions = {}): Promise<Simulation> {
    return this.sendRequest({ method: "POST", path: pathOf`/simulations/replays`, json: body, takesKey: true }, options);
  }

  /**
   * Make a test suite from a call, without personal data.
   * A persona that says what the person said, mocks that answer as the tools did, and expectations of what came of the call. Nothing is stored. 409 while the call goes on, and when nothing was said in it. Needs CALL_HISTORY_READ or CALL_JOBS_READ.
   */
  fromCall(rowId: string, options: RequestOptions = {}): Promise<SuiteProposal> {
    return this.sendRequest({ method: "POST", path: pathOf`/call-rows/${rowId}/simulation` }, options);
  }

  /**
   * Make a test suite from a sentence of a call that should have been another one.
   * The suite of the call, in which the agent must say some words, or must not say others again. Personal data in them is replaced as in the call. Nothing is stored. 409 as for the suite of a call. Needs CALL_HISTORY_READ or CALL_JOBS_READ.
   */
  fromSentence(body: SimulationsFromSentenceBody, options: RequestOptions = {}): Promise<SuiteProposal> {
    return this.sendRequest({ method: "POST", path: pathOf`/simulations/sentences`, json: body }, options);
  }

  /**
   * Forecast a call job against a population of personas.
   * Required: jobId or job. Nobody is called and nothing is stored: duration, attempts, outcomes and cost as they may be expected. Needs CALL_JOBS_WRITE.
   */
  rehearse(body: RehearsalInput, options: RequestOptions = {}): Promise<Forecast> {
    return this.sendRequest({ method: "POST", path: pathOf`/simulations/rehearsals`, json: body }, options);
  }
}
