import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { readHome } from "./api/read-home.ts";
import { App } from "./shell/app.tsx";
import { loadScreenAt } from "./shell/screens.ts";

/** Milliseconds to wait for the session behind the page's static loading sign, before the app is drawn. */
const PATIENCE_MS = 300;

const { pathname } = window.location;
loadScreenAt(pathname);
void Promise.race([readHome(pathname), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(show);

function show(): void {
  const root = document.getElementById("root");
  // A transition makes React render in slices, so the tab stays responsive.
  if (root) startTransition(() => createRoot(root).render(<App />));
}
