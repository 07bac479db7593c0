import { plural, t } from "#web/i18n/t.ts";
import type { Flow, FlowChange, FlowFields } from "./flow.ts";

/** A flow that refers to something in its published version, its draft, or both. */
export interface FlowUser {
  id: string;
  name: string;
  apiId: string;
  inPublished: boolean;
  /** Null: there is no draft. */
  inDraft: boolean | null;
}

/** Returns the flows that refer to something, including those where only the draft does. */
export function flowUsers(flows: Flow[], changes: FlowChange[], names: (fields: FlowFields) => boolean): FlowUser[] {
  const drafts = new Map(changes.map(({ id, draft }) => [id, draft]));
  return flows.flatMap((flow) => {
    const draft = drafts.get(flow.id) ?? null;
    const user = { inPublished: names(flow), inDraft: draft && names(draft) };
    if (!user.inPublished && !user.inDraft) return [];
    return [{ id: flow.id, name: flow.name ?? flow.apiId, apiId: flow.apiId, ...user }];
  });
}

/** Text with the number of flows that refer to something, for a table cell. */
export function describeUsers(users: FlowUser[]): string {
  const drafts = users.filter(({ inPublished }) => !inPublished).length;
  const published = users.length - drafts;
  const flows = published === 0 ? [] : [plural(published, "{n} flow", "{n} flows")];
  const prepared = drafts === 0 ? [] : [plural(drafts, "{n} draft", "{n} drafts")];
  return [...flows, ...prepared].join(", ") || t`no flow`;
}
