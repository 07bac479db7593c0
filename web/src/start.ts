import "@mantine/core/styles.layer.css";
import "./styles.css";
import { askForHome } from "./api/early-home.ts";
import { loadCatalogue } from "./i18n/catalogue.ts";
import { LANGUAGE } from "./i18n/language.ts";

// Must run first: the server answers the home page's requests while the browser fetches and compiles the dashboard.
void askForHome(window.location.pathname);

const { documentElement } = document;
documentElement.lang = LANGUAGE;
const catalogue = loadCatalogue().catch(() => {
  // Better in English than not at all.
  documentElement.lang = "en";
});

// In sequence, so that no single browser task has to run both; texts are read when their module is run.
void Promise.all([catalogue, import("./react-first.ts")]).then(() => import("./main.tsx"));
