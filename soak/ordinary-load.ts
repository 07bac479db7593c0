import type { Installation, Workspace } from "./installation.ts";
import type { Latencies } from "./latencies.ts";

/** People of a job. */
export const ROWS = 20;
const AREAS = [202, 206, 212, 213, 214, 215, 303, 305, 312, 313, 404, 415, 503, 512, 602, 612, 617, 702, 713, 718];

const READS = [
  "/flows",
  "/tools",
  "/call-jobs?size=20",
  "/call-history?size=20",
  "/phone-numbers",
  "/agents",
  "/chat-sessions?size=20",
];

/** Sends one request: three of five read; the others call, write to somebody, or make something. */
export function askOne(
  installation: Installation,
  workspace: Workspace,
  tick: number,
  latencies: Latencies,
  workspaces: number,
): Promise<unknown> {
  const turn = Math.floor(tick / workspaces);
  const write = (path: string, body: object) => installation.ask(workspace, "POST", path, body, latencies);
  switch (turn % 10) {
    case 0:
    case 5:
      return write("/outbound/calls", { flowId: workspace.flow.id, customerNumber: person(tick) });
    case 2:
      return write("/outbound/chats", {
        channel: "CHAT",
        contactIdentifier: `visitor-${tick}`,
        flow: { name: "Soak", firstMessage: "Hello." },
      });
    case 7:
      return write("/agents", { name: `Agent ${tick}` });
    default:
      return installation.ask(workspace, "GET", READS[turn % READS.length] as string, undefined, latencies);
  }
}

/** Places a job of {@link ROWS} people. */
export function addJob(
  installation: Installation,
  workspace: Workspace,
  tick: number,
  latencies: Latencies,
): Promise<unknown> {
  const rows = Array.from({ length: ROWS }, (_, i) => ({ customerNumber: person(tick * 7 + i) }));
  const body = {
    rows,
    flowId: workspace.flow.id,
    fromPhoneNumbers: workspace.numbers,
    retryConfig: { maxAttempts: 1 },
  };
  return installation.ask(workspace, "POST", "/call-jobs", body, latencies);
}

/** Returns a fictional number, another one for each of 2,000 ticks. */
export function person(i: number): string {
  return `+1${AREAS[Math.floor(i / 100) % AREAS.length]}555${String(100 + (i % 100)).padStart(4, "0")}`;
}
