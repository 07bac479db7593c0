import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explainError } from "#web/api/api-error.ts";
import { nameFault } from "#web/api/fault-notes.ts";
import { inWorkspace } from "#web/api/http.ts";
import { keyOf } from "#web/api/queries.ts";
import { upload } from "#web/api/upload.ts";
import { useWorkspace } from "#web/api/workspace.tsx";
import { t } from "#web/i18n/t.ts";
import { useFaultNotice } from "#web/ui/use-fault-notice.ts";
import { type Receipt, recordingsPath } from "./transcription.ts";

/** A file being uploaded. */
export interface FileUpload {
  id: string;
  name: string;
  share: number;
  state: "SENDING" | "DONE" | "FAILED";
  receipt: Receipt | null;
  fault: string | null;
}

const AT_ONCE = 2;

/** Uploads files, two at a time, and reports the progress of each. */
export function useUploads(jobId: string): {
  uploads: FileUpload[];
  add: (files: File[], metadata: object | undefined) => void;
  clear: () => void;
} {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  const [uploads, setUploads] = useState<FileUpload[]>([]);
  const change = (id: string, next: Partial<FileUpload>) =>
    setUploads((before) => before.map((one) => (one.id === id ? { ...one, ...next } : one)));
  const path = recordingsPath(jobId);
  const notify = useFaultNotice();
  const sendOne = async (id: string, file: File, metadata: object | undefined) => {
    const form = new FormData();
    // The payload must precede the file, so that it is known when the file arrives.
    if (metadata) form.append("payload", JSON.stringify({ metadata }));
    form.append("file", file);
    try {
      const to = inWorkspace(workspaceId, `${path}/upload`);
      const receipt = await upload<Receipt>(to, form, (share) => change(id, { share })).catch(
        nameFault(t`${file.name} was not sent`),
      );
      change(id, { state: "DONE", share: 1, receipt });
    } catch (error) {
      notify(error, () => change(id, { state: "FAILED", fault: explainError(error) }));
    }
    await client.invalidateQueries({ queryKey: keyOf(workspaceId, path) });
  };
  const add = (files: File[], metadata: object | undefined) => {
    const waiting = files.map((file) => ({ id: crypto.randomUUID(), file }));
    const fresh = { share: 0, state: "SENDING", receipt: null, fault: null } as const;
    const lines = waiting.map(({ id, file }) => ({ id, name: file.name, ...fresh }));
    setUploads((before) => [...before, ...lines]);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await sendOne(next.id, next.file, metadata);
    };
    for (let lane = 0; lane < AT_ONCE; lane++) void work();
  };
  return { uploads, add, clear: () => setUploads([]) };
}
