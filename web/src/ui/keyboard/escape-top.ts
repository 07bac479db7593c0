const DIALOGS = "[role=dialog][aria-modal=true]";

/**
 * Of several dialogs that are open, Escape closes the uppermost only; each of Mantine's would close itself, with what was
 * typed into it. Must run before any of them is drawn: who listens first is asked first.
 */
export function closeTopOnly(): void {
  window.addEventListener("keydown", closeTop, { capture: true });
}

function closeTop(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.isComposing || !(event.target instanceof Element)) return;
  // A list that is open inside the dialog takes the key itself.
  if (event.target.getAttribute("data-mantine-stop-propagation") === "true") return;
  const dialogs = [...document.querySelectorAll(DIALOGS)];
  if (dialogs.length < 2) return;
  // The uppermost keeps the focus; what cannot be closed by a button is left to itself.
  const top = event.target.closest(DIALOGS) ?? dialogs.at(-1);
  const button = top?.querySelector<HTMLElement>(".mantine-Modal-close, .mantine-Drawer-close");
  if (!button) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  button.click();
}
