import type { FirstCall } from "@parley/sdk";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { inWorkspace, send } from "#web/api/http.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import type { Contacts } from "./contacts.ts";
import { toBody } from "./job-body.ts";
import { type NewJobForm, type Preflight, type SkipReason, toSettings } from "./new-job.ts";
import { atLine } from "./use-create-job.ts";

/** Number of a list's rows that are checked before the start; each row is checked again right before its call. */
export const JUDGED_ROWS = 20_000;

/** Requests the server's check of who would be skipped and why; nothing is stored. */
export function usePreflight(form: NewJobForm, contacts: Contacts | null): UseQueryResult<Preflight> {
  const { id: workspaceId } = useWorkspace();
  const settings = toSettings(form);
  return useQuery<Preflight>({
    queryKey: [workspaceId, "preflight", settings, contacts === null ? 0 : identityOf(contacts)],
    enabled: contacts !== null && contacts.rows.length > 0,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    async queryFn({ signal }) {
      const made = contacts as Contacts;
      const body = await toBody(settings, made.rows.slice(0, JUDGED_ROWS));
      const path = inWorkspace(workspaceId, "/call-jobs/preflight");
      const found = await send<Preflight>("POST", path, { body, headers: { "content-type": body.type }, signal });
      return {
        ...found,
        rowErrors: found.rowErrors.map((error) => atLine(error, made)),
        reasons: found.reasons.map((reason) => inFile(reason, made)),
        waits: found.waits.map((reason) => inFile(reason, made)),
        firstCall: found.firstCall && inList(found.firstCall, made),
      };
    },
  });
}

/** Replaces the server's row numbers by the lines of the file. */
function inFile(reason: SkipReason, made: Contacts): SkipReason {
  const rows = reason.rows.map((row) => (row.line === null ? row : atLine({ ...row, line: row.line }, made)));
  return { ...reason, rows };
}

function inList(call: FirstCall, made: Contacts): FirstCall {
  return call.line === null ? call : atLine({ ...call, line: call.line }, made);
}

const identities = new WeakMap<Contacts, string>();

function identityOf(contacts: Contacts): string {
  const known = identities.get(contacts) ?? crypto.randomUUID();
  identities.set(contacts, known);
  return known;
}
