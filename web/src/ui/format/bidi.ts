/** Controls that embed, override and isolate directions: text after them would be turned around. */
const CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Returns a text without the controls that turn what stands around it; letters keep their own direction. */
export function withoutBidi(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

/** Returns JSON in which these controls are written as escapes: the same value, and nothing is turned around. */
export function escapeBidi(json: string): string {
  return json.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
