const KEY = "mantine-color-scheme-value";

/** Lets the button in the header switch between light and dark; the system's own choice is followed again. */
export function startThemeSwitch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-switch-theme]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const ofSystem = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (root.dataset.theme ?? ofSystem) === "dark" ? "light" : "dark";
    if (next === ofSystem) delete root.dataset.theme;
    else root.dataset.theme = next;
    localStorage.setItem(KEY, next === ofSystem ? "auto" : next);
  });
}
