import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { readHome } from "./api/read-home.ts";
import { App } from "./shell/app.tsx";
import { loadScreenAt } from "./shell/screens.ts";

/** How long only the page's own sign of loading is shown while the server is slow to tell who is signed in. */
const PATIENCE_MS = 300;

const { pathname } = window.location;
loadScreenAt(pathname);
void Promise.race([readHome(pathname), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(show);

function show(): void {
  const root = document.getElementById("root");
  // React then renders in slices, and the tab stays free in between.
  if (root) startTransition(() => createRoot(root).render(<App />));
}
