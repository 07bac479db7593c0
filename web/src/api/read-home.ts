import { listHomeReads } from "./home-reads.ts";
import { queryClient, readAhead } from "./queries.ts";
import { sessionQuery } from "./session.ts";

/** Reads the session, and begins the home page's reads when the address is its own; never fails. */
export async function readHome(address: string): Promise<void> {
  await queryClient.prefetchQuery(sessionQuery);
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (!session) return;
  for (const { workspaceId, path, query } of listHomeReads(address, session)) readAhead(workspaceId, path, query);
}
