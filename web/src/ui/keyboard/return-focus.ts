const DIALOG = "[role=dialog][aria-modal=true]";

/** The last focused element, except menu entries, which disappear with their menu. */
let last: HTMLElement | null = null;
/** Open dialogs, each with the element focused before it. */
const openers = new Map<Element, HTMLElement | null>();

/**
 * Returns the focus to its place before a dialog opened. Mantine's dialogs do so when they are closed; ours are
 * unmounted with their form, and a keyboard user would start at the top of the page again.
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
    // The focus was dropped, such as by a click on empty space: nothing gets it back later.
    if (relatedTarget === null && target === last) last = null;
  });
}

function giveBack(_changes: unknown, observer: MutationObserver): void {
  for (const [dialog, opener] of openers) {
    if (dialog.isConnected) continue;
    openers.delete(dialog);
    if (opener === null || document.activeElement !== document.body) continue;
    // The opener may be gone, such as a deleted row; the screen's content is the nearest element.
    const heir = opener.isConnected ? opener : document.getElementById("content");
    heir?.focus({ preventScroll: true });
  }
  if (openers.size === 0) observer.disconnect();
}
