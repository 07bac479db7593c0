import { isDiskFull, isUnavailable } from "#src/platform/db/database.ts";
import { toStorageError } from "#src/platform/files/storage-fault.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";

/** Converts anything thrown by a request into an error with a code; unknown ones become INTERNAL. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isUnavailable(thrown)) return new AppError("UNAVAILABLE");
  if (isDiskFull(thrown)) return new AppError("STORAGE_FULL");
  const storage = toStorageError(thrown);
  if (storage) return storage;
  const error = toError(thrown) as Error & { statusCode?: number; code?: string };
  if (error.code === "FST_ERR_BAD_URL") return new AppError("BAD_URL");
  if (error.statusCode === 414 || error.code === "FST_ERR_MAX_URL_LENGTH") return new AppError("BAD_URL");
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError("BAD_REQUEST", error.message);
  }
  return new AppError("INTERNAL");
}

/**
 * Returns the body of an error. 401, 403, 404 and 429 have the contract's bodies; every other error has one shape
 * (docs/api.md).
 */
export function errorBody(error: AppError, requestId: string): Record<string, unknown> {
  const named = error.hasOwnMessage ? { message: error.message } : {};
  switch (error.status) {
    case 401:
    case 403:
    case 404:
      return { error: error.title, ...named };
    case 429:
      return { status: 429, error: error.title };
    default:
      return { error: error.title, message: error.message, code: error.code, details: error.details, requestId };
  }
}
