/** Messages of Chromium, Firefox, Safari and Vite when a part of the dashboard is not at the server. */
const MISSING_PART =
  /dynamically imported module|Importing a module script failed|Unable to preload CSS|not a valid JavaScript MIME type/i;

/** True when a part of the dashboard could not be loaded, as after an update of the server under an open page. */
export function isMissingPart(fault: Error): boolean {
  return MISSING_PART.test(fault.message);
}
