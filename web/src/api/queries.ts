import {
  keepPreviousData,
  QueryClient,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { nameFault } from "./fault-notes.ts";
import { inWorkspace, type Query, send } from "./http.ts";
import { watchWrites } from "./watched-writes.ts";
import { useWorkspace } from "./workspace.tsx";

/** Cache of all server reads; data that live events do not update is fetched again after 15 s. */
export const queryClient = new QueryClient({
  mutationCache: watchWrites(),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
    },
  },
});

/** The key of a resource: `keyOf(ws, "/call-rows/7")` is below `keyOf(ws, "/call-rows")`. */
export function keyOf(workspaceId: string, path: string, query?: Query): QueryKey {
  const steps = path.split("/").filter(Boolean);
  return query === undefined ? [workspaceId, ...steps] : [workspaceId, ...steps, query];
}

/** Begins a read that a screen will need, so that the data is there or on its way when the screen opens. */
export function readAhead(workspaceId: string, path: string, query?: Query): void {
  void queryClient.prefetchQuery({
    queryKey: keyOf(workspaceId, path, query),
    queryFn: ({ signal }) => send("GET", inWorkspace(workspaceId, path), { signal, ...(query ? { query } : {}) }),
  });
}

/** Options of a read. */
export interface ReadOptions<T> {
  /** False: no request is sent. */
  enabled?: boolean;
  /** Interval of repeated reads while the page is open, for data without live events; may depend on the last reply. */
  refreshMs?: number | ((data: T | undefined) => number | false);
  /** True: numbers can be sent back as they came; for data that is edited as JSON. */
  isExact?: boolean;
}

/** Reads a resource of the workspace; while another page or filter loads, the previous rows stay. */
export function useRead<T>(
  path: string,
  query?: Query,
  { enabled = true, refreshMs, isExact = false }: ReadOptions<T> = {},
): UseQueryResult<T> {
  const { id } = useWorkspace();
  return useQuery<T>({
    queryKey: keyOf(id, path, query),
    queryFn: ({ signal }) => send<T>("GET", inWorkspace(id, path), { signal, isExact, ...(query ? { query } : {}) }),
    placeholderData: keepPreviousData,
    enabled,
    // Structural sharing copies objects, and a number kept as it came is an object.
    structuralSharing: !isExact,
    ...(refreshMs === undefined ? {} : { refetchInterval: intervalOf(refreshMs) }),
  });
}

function intervalOf<T>(refreshMs: NonNullable<ReadOptions<T>["refreshMs"]>) {
  return typeof refreshMs === "number"
    ? refreshMs
    : (query: { state: { data: T | undefined } }) => refreshMs(query.state.data);
}

/** A write request; `path` may depend on the input. */
export interface Write<TInput> {
  /** Title of the message when it fails, such as "The flow was not saved". */
  failed: string | ((input: TInput) => string);
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  path: string | ((input: TInput) => string);
  /** Body of the request; the input itself when left out. */
  body?: (input: TInput) => unknown;
  headers?: (input: TInput) => Record<string, string>;
  /** Resources that are fetched again afterwards, such as "/flows". */
  refreshes?: string[];
  /** True: numbers of the reply are shown as they came. */
  isExact?: boolean;
}

/** Sends a change of the workspace. */
export function useWrite<TReply = unknown, TInput = void>(
  write: Write<TInput>,
): UseMutationResult<TReply, Error, TInput> {
  const { id } = useWorkspace();
  const client = useQueryClient();
  return useMutation<TReply, Error, TInput>({
    mutationFn: (input) => sendWrite<TReply, TInput>(id, write, input).catch(nameFault(titleFor(write.failed, input))),
    onSuccess: () =>
      Promise.all((write.refreshes ?? []).map((path) => client.invalidateQueries({ queryKey: keyOf(id, path) }))),
  });
}

/** Returns the failure title for this input. */
export function titleFor<TInput>(failed: Write<TInput>["failed"], input: TInput): string {
  return typeof failed === "string" ? failed : failed(input);
}

function sendWrite<TReply, TInput>(workspaceId: string, write: Write<TInput>, input: TInput): Promise<TReply> {
  const path = typeof write.path === "string" ? write.path : write.path(input);
  const body = write.body ? write.body(input) : write.method === "DELETE" ? undefined : input;
  return send<TReply>(write.method, inWorkspace(workspaceId, path), {
    ...(body === undefined ? {} : { body }),
    ...(write.headers ? { headers: write.headers(input) } : {}),
    isExact: write.isExact ?? false,
  });
}
