import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { nameFault } from "./fault-notes.ts";
import { send } from "./http.ts";
import { titleFor, type Write } from "./queries.ts";

function consoleKey(path: string): string[] {
  return ["console", ...path.split("/").filter(Boolean)];
}

/** Reads a resource outside any workspace, below /api/console. */
export function useConsoleRead<T>(path: string, { enabled = true }: { enabled?: boolean } = {}): UseQueryResult<T> {
  return useQuery<T>({
    queryKey: consoleKey(path),
    queryFn: ({ signal }) => send<T>("GET", `/api/console${path}`, { signal }),
    enabled,
  });
}

/** Writes a resource outside any workspace; `refreshes` is fetched again afterwards. */
export function useConsoleWrite<TReply = unknown, TInput = void>(write: {
  failed: Write<TInput>["failed"];
  method: "POST" | "PATCH" | "DELETE";
  path: string | ((input: TInput) => string);
  body?: (input: TInput) => unknown;
  refreshes?: string;
}): UseMutationResult<TReply, Error, TInput> {
  const client = useQueryClient();
  return useMutation<TReply, Error, TInput>({
    mutationFn: (input) => {
      const path = typeof write.path === "string" ? write.path : write.path(input);
      return send<TReply>(write.method, `/api/console${path}`, write.body ? { body: write.body(input) } : {}).catch(
        nameFault(titleFor(write.failed, input)),
      );
    },
    onSuccess: async () => {
      if (write.refreshes !== undefined) await client.invalidateQueries({ queryKey: consoleKey(write.refreshes) });
    },
  });
}
