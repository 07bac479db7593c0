/** An entry of the audit log. */
export interface AuditEntry {
  id: string;
  at: string;
  actorKind: "USER" | "OPERATOR" | "SYSTEM";
  userId: string | null;
  actor: string;
  action: string;
  target: string | null;
  /** The target, while it exists in the workspace. */
  object: AuditObject | null;
  address: string | null;
  requestId: string | null;
  details: Record<string, unknown>;
}

/** An object that an action was done to. */
export interface AuditObject {
  kind: string;
  name: string | null;
  /** Ids of what holds it, from the outside to the inside. */
  within: string[];
}

/** Screens of objects: `:id` is the object's, `:0` and `:1` are ids of what holds it. */
const SCREENS: Record<string, string> = {
  FLOW: "/flows/:id",
  MODEL: "/settings/models",
  STRUCTURED_OUTPUT: "/outputs/:id",
  TOOL: "/tools/:id",
  CONNECTION: "/connections",
  AGENT: "/agents/:id",
  KNOWLEDGE_ITEM: "/agents/:0",
  CALL: "/calls/:id",
  CALL_JOB: "/jobs/:id",
  CHAT: "/chats?chat=:id",
  CONTACT: "/contacts/:id",
  OPT_OUT_REVIEW: "/settings/opt-out-reviews",
  PHONE_NUMBER: "/numbers",
  CARRIER_ACCOUNT: "/numbers",
  LEAD_SOURCE: "/leads/:id",
  AUTOMATION: "/automations/:id",
  SESSION_WEBHOOK: "/developers/webhooks",
  BOARD: "/analytics",
  SIMULATION: "/simulations/:id",
  APPLICATION: "/data/:id",
  CUSTOMER: "/data/:0/customers",
  RECORD: "/data/:0/:1",
  TRANSCRIPTION_JOB: "/transcriptions/:id",
  RECORDING: "/transcriptions/:0",
  CREDENTIAL: "/credentials",
  WORKSPACE: "/settings",
  MEMBER: "/settings/people",
};

/** Returns the address of the screen that shows an entry's object; null where it is gone or has none. */
export function findObjectPath({ target, object }: Pick<AuditEntry, "target" | "object">): string | null {
  const screen = object && SCREENS[object.kind];
  if (!screen) return null;
  return screen.replaceAll(/:(id|\d)/g, (_, place: string) =>
    encodeURIComponent((place === "id" ? target : object.within[Number(place)]) ?? ""),
  );
}

/** Returns what an action was done to: its name while it exists, else its id; null where there is no object. */
export function nameObject({ target, object }: Pick<AuditEntry, "target" | "object">): string | null {
  return object?.name ?? target;
}
