/** Gives each block of code a button that copies it. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll("article pre")) {
    const frame = document.createElement("div");
    frame.className = "code";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => void copy(block.textContent ?? "", button));
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  // Browsers give pages the clipboard on https and localhost only.
  const done = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = done ? "Copied" : "Not allowed";
  setTimeout(() => (button.textContent = "Copy"), 2_000);
}
