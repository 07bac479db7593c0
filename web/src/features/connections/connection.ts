/** A workspace's access to a provider. */
export interface Connection {
  id: string;
  name: string;
  provider: string;
  method: "OAUTH" | "API_KEY";
  state: "NOT_CONNECTED" | "CONNECTED" | "NEEDS_SIGN_IN";
  clientId: string | null;
  /** A mask when one is stored; the secret itself is never shown. */
  clientSecret: string | null;
  apiKey: string | null;
  scopes: string[];
  baseUrl: string | null;
  custom: Custom | null;
  connectedBy: string | null;
  connectedAt: string | null;
  failure: string | null;
  updatedAt: string;
}

/** Addresses and header of a provider that is not in the list. */
export interface Custom {
  authorizationUrl?: string | null;
  tokenUrl?: string | null;
  apiOrigins: string[];
  keyHeader?: string | null;
}

/** A provider that connections may name. */
export interface Provider {
  provider: string;
  title: string;
  methods: Connection["method"][];
  redirectUri: string;
}

/** Tools for one provider. */
export interface ToolPack {
  name: string;
  title: string;
  description: string;
  provider: string;
  settings: { name: string; title: string; description: string; required: boolean; default: string | null }[];
  tools: { name: string; description: string }[];
}

/** API paths of connections, providers and packs. */
export const CONNECTIONS_PATH = "/connections";
export const PROVIDERS_PATH = "/connection-providers";
export const PACKS_PATH = "/tool-packs";
