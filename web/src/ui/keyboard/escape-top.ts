import { isComposing } from "./composing.ts";

const DIALOGS = "[role=dialog][aria-modal=true]";

/**
 * Makes Escape close only the uppermost of several open dialogs; Mantine would close each of them, and its typed text
 * would be lost. Must run before any dialog is drawn, because listeners are called in the order in which they were
 * added.
 */
export function closeTopOnly(): void {
  window.addEventListener("keydown", closeTop, { capture: true });
}

function closeTop(event: KeyboardEvent): void {
  if (event.key !== "Escape" || isComposing(event) || !(event.target instanceof Element)) return;
  // An open list inside the dialog handles the key itself.
  if (event.target.getAttribute("data-mantine-stop-propagation") === "true") return;
  const dialogs = [...document.querySelectorAll(DIALOGS)];
  if (dialogs.length < 2) return;
  // The uppermost dialog holds the focus; one without a close button is left open.
  const top = event.target.closest(DIALOGS) ?? dialogs.at(-1);
  const button = top?.querySelector<HTMLElement>(".mantine-Modal-close, .mantine-Drawer-close");
  if (!button) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  button.click();
}
