/**
 * True for a key that an input method takes, such as the Enter that ends a composition. Safari sends that one after the
 * composition, without `isComposing`, and marks it with the code 229 alone (UI Events, legacy `keyCode`).
 */
export function isComposing({
  isComposing: composes,
  keyCode,
}: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return composes || keyCode === 229;
}
