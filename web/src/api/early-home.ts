import { askEarly } from "./early-replies.ts";
import { listHomeReads } from "./home-reads.ts";
import { inWorkspace, SESSION_PATH, withQuery } from "./http.ts";
import type { Session } from "./session.ts";

/** Requests the session early, and for the home page's address also the data that the page shows to this person. */
export async function askForHome(address: string): Promise<void> {
  try {
    const reply = await askEarly(SESSION_PATH);
    if (!reply.ok) return;
    // The dashboard reads the original reply.
    const session = (await reply.clone().json()) as Session;
    for (const { workspaceId, path, query } of listHomeReads(address, session))
      void askEarly(withQuery(inWorkspace(workspaceId, path), query));
  } catch {
    // The dashboard asks again, and tells what is wrong.
  }
}
