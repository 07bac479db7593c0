const DIALOG = "[role=dialog][aria-modal=true]";

/** The element that had the focus last, other than an entry of a menu, which goes with its menu. */
let last: HTMLElement | null = null;
/** Open dialogs, and what had the focus before each. */
const openers = new Map<Element, HTMLElement | null>();

/**
 * Gives the focus back to where it was before a dialog opened. Mantine's do so when they are told to close; ours are taken
 * away, form and all, and whoever works with the keyboard would begin at the top of the page again.
 */
export function returnFocus(): void {
  const observer = new MutationObserver(giveBack);
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest("[role=menu]")) return;
    const dialog = target.closest(DIALOG);
    if (dialog && !openers.has(dialog)) {
      openers.set(dialog, last);
      for (let above = dialog.parentNode; above; above = above.parentNode) observer.observe(above, { childList: true });
    }
    last = target;
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    // Given up, as by a click beside everything: nothing is to have it later.
    if (relatedTarget === null && target === last) last = null;
  });
}

function giveBack(_changes: unknown, observer: MutationObserver): void {
  for (const [dialog, opener] of openers) {
    if (dialog.isConnected) continue;
    openers.delete(dialog);
    if (opener === null || document.activeElement !== document.body) continue;
    // What opened it may be gone, as a row that was deleted: the screen itself comes nearest.
    const heir = opener.isConnected ? opener : document.getElementById("content");
    heir?.focus({ preventScroll: true });
  }
  if (openers.size === 0) observer.disconnect();
}
