import { send } from "#web/api/http.ts";

export const SAMPLE_NAME = "sandbox-contacts.csv";

/** Reads twenty simulated people as a CSV; some are busy, away, on voicemail or not to be called. */
export async function readSample(): Promise<string> {
  return (await send<{ csv: string }>("GET", "/api/console/sample-contacts")).csv;
}
