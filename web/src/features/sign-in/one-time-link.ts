/** What a one-time link is for. */
export interface OneTimeLink {
  kind: "SETUP" | "INVITE" | "RESET";
  email: string | null;
  name: string | null;
  workspaceName: string | null;
  role: string | null;
  hasAccount: boolean;
}

/** Sends a link's form and enters with the session that comes back. */
export type Enter = (path: string, body: object) => Promise<void>;
