import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { send, SESSION_PATH, setCsrfToken } from "./http.ts";

/** Role of a person in a workspace. */
export type Role = "OWNER" | "BUILDER" | "OPERATOR" | "VIEWER";

/** A workspace that the signed-in person may open; `permissions` are the API's own names. */
export interface WorkspaceAccess {
  id: string;
  name: string;
  mode: "SANDBOX" | "LIVE";
  /** IANA zone in which the workspace counts its days. */
  timeZone: string;
  role: Role;
  permissions: string[];
  /** True when the person may enter only once they have set up a second factor. */
  lacksSecondFactor: boolean;
}

/** A person with a sign-in. */
export interface User {
  id: string;
  email: string;
  name: string;
  isInstallationOwner: boolean;
  hasSecondFactor: boolean;
}

/** Way to finish a sign-in after the password. */
export type StepWay = "TOTP" | "PASSKEY" | "RECOVERY_CODE";

/** The signed-in person and their workspaces. `needsSetup`: the installation has no owner yet. */
export interface Session {
  needsSetup: boolean;
  user: User | null;
  csrfToken: string | null;
  workspaces: WorkspaceAccess[];
  /** The password was right, and one of these is still needed; null: nothing is. */
  secondStep: StepWay[] | null;
}

/** The session; its `user` is null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: Infinity,
  retry: (count, error) => error instanceof ApiError && error.status === 0 && count < 3,
  queryFn: async () => keepToken(await send<Session>("GET", SESSION_PATH)),
});

/**
 * Reads the session again; true when another tab has opened a newer one for the same person, whose token this page then
 * has. Their role, too, is then the current one.
 */
export async function hasNewSession(client: QueryClient): Promise<boolean> {
  const before = client.getQueryData(sessionQuery.queryKey);
  const after = await client.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
  if (!before?.user || !after?.user) return false;
  return after.user.id === before.user.id && after.csrfToken !== before.csrfToken;
}

let personId: string | null = null;
const forgetting = new Set<() => void>();

/**
 * Adds a handler that clears data when another person signs in without a page reload, such as after a session ended.
 */
export function whenPersonChanges(forget: () => void): void {
  forgetting.add(forget);
}

/** Stores the session's CSRF token and the person it belongs to. */
export function keepToken(session: Session): Session {
  setCsrfToken(session.csrfToken ?? "");
  const id = session.user?.id ?? personId;
  if (personId !== null && id !== personId) for (const forget of forgetting) forget();
  personId = id;
  return session;
}

/** The signed-in person; throws when there is none, so only for screens behind the sign-in. */
export function useUser(): User {
  const { data } = useQuery(sessionQuery);
  if (!data?.user) throw new Error("This screen is for signed-in people.");
  return data.user;
}
