/** Purpose and recipient of a one-time link. */
export interface OneTimeLink {
  kind: "SETUP" | "INVITE" | "RESET";
  email: string | null;
  name: string | null;
  workspaceName: string | null;
  role: string | null;
  hasAccount: boolean;
}

/** Sends a link's form and signs in with the returned session. */
export type Enter = (path: string, body: object) => Promise<void>;
