import "@mantine/core/styles.layer.css";
import "./styles.css";
import { askForHome } from "./api/early-home.ts";
import { loadCatalogue } from "./i18n/catalogue.ts";
import { LANGUAGE } from "./i18n/language.ts";

// Must run first: the server answers the home page's requests while the browser fetches and compiles the dashboard.
void askForHome(window.location.pathname);

document.documentElement.lang = LANGUAGE;

// In sequence, so that no single browser task has to run both; texts are read when their module is run.
void Promise.all([loadCatalogue(), import("./react-first.ts")]).then(() => import("./main.tsx"));
