import { t } from "#web/i18n/t.ts";
import { ApiError } from "./api-error.ts";
import { noteLostSession, writeHeaders } from "./http.ts";

/** Receives the progress of an upload, a share from 0 to 1. */
export type OnProgress = (share: number) => void;

/** Sends a form with a file and reports its progress, which fetch cannot do. Throws ApiError. */
export function upload<T>(path: string, form: FormData, onProgress: OnProgress, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(writeHeaders())) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const body = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300) return resolve(body as T);
      // 403: the token may be of a session that another tab has replaced.
      if (request.status === 401 || request.status === 403) noteLostSession();
      reject(new ApiError(request.status, (body ?? {}) as object, request.getResponseHeader("x-request-id")));
    });
    request.addEventListener("error", () => reject(new ApiError(0, {}, null)));
    request.addEventListener("abort", () => reject(new DOMException(t`The upload was stopped.`, "AbortError")));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
