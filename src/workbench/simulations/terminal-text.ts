/** Colours a text, where the terminal shows colours. */
export type Paint = (style: "bold" | "dim" | "red" | "green" | "yellow", text: string) => string;

/** No colours. */
export const plainly: Paint = (_style, text) => text;

/** Text that cannot steer a terminal: what is said in a conversation comes from strangers. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
}
