/** Colours a text where the terminal supports it. */
export type Paint = (style: "bold" | "dim" | "red" | "green" | "yellow", text: string) => string;

/** Leaves texts without colours. */
export const plainly: Paint = (_style, text) => text;

/** Returns text that cannot control a terminal, because words of a conversation are untrusted. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}+/gu, " ");
}
