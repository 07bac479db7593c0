import { send } from "#web/api/http.ts";

export const SAMPLE_NAME = "sandbox-contacts.csv";

/** Twenty simulated people as a CSV, of whom some are busy, away, on voicemail or not to be called. */
export async function readSample(): Promise<string> {
  return (await send<{ csv: string }>("GET", "/api/console/sample-contacts")).csv;
}
