import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explainError, faultsByField } from "#web/api/api-error.ts";
import { nameFault } from "#web/api/fault-notes.ts";
import { inWorkspace, send } from "#web/api/http.ts";
import { keyOf } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useKeptState } from "#web/ui/form/unsaved.ts";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import type { Contacts } from "./contacts.ts";
import { findTakenName, toBody, toCsvFile } from "./job-body.ts";
import { type CreatedJob, type NewJobForm, toSettings } from "./new-job.ts";

/** Maximum rows in a JSON body; longer lists are sent as a file, which the server reads after its reply. */
const MOST_JSON_ROWS = 40_000;

/** Creates the job; a repeat after a lost reply does not create a second one, even if the wizard was left meanwhile. */
export function useCreateJob(keptAs: string, form: NewJobForm, contacts: Contacts | null) {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [attempt, setAttempt] = useKeptState(`${keptAs}/attempt`, () => ({ of: "", rows: contacts?.rows, key: "" }));
  const notify = useFaultNotice();
  const create = async (): Promise<CreatedJob | null> => {
    if (!contacts) return null;
    setSending(true);
    setFault(null);
    setFaults({});
    const settings = toSettings(form);
    const [of, { rows }] = [JSON.stringify(settings), contacts];
    const key = attempt.of === of && attempt.rows === rows ? attempt.key : crypto.randomUUID();
    setAttempt({ of, rows, key });
    try {
      const body = await toRequest(settings, contacts);
      const headers = { "idempotency-key": key, ...(body instanceof Blob ? { "content-type": body.type } : {}) };
      const job = await send<CreatedJob>("POST", inWorkspace(workspaceId, "/call-jobs"), { body, headers }).catch(
        nameFault(t`The call job was not created`),
      );
      void client.invalidateQueries({ queryKey: keyOf(workspaceId, "/call-jobs") });
      return { ...job, rowErrors: job.rowErrors.map((error) => atLine(error, contacts)) };
    } catch (error) {
      notify(error, () => {
        setFaults(faultsByField(error));
        setFault(explainError(error));
      });
      return null;
    } finally {
      setSending(false);
    }
  };
  return { create, isSending, fault, faults };
}

async function toRequest(settings: Record<string, unknown>, { rows }: Contacts): Promise<Blob | FormData> {
  if (rows.length <= MOST_JSON_ROWS) return toBody(settings, rows);
  const taken = findTakenName(rows);
  if (taken !== null) throw new Error(t`In a list as long as this one, no variable can be called ${taken}. Rename it.`);
  const form = new FormData();
  form.append("payload", JSON.stringify(settings));
  form.append("file", await toCsvFile(rows), "rows.csv");
  return form;
}

/** Converts the server's position in the list to the line of the file, which people look for. */
export function atLine<T extends { line: number }>(error: T, { lines }: Contacts): T {
  return { ...error, line: lines[error.line - 1] ?? error.line };
}
