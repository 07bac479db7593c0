import "@mantine/core/styles.layer.css";
import "./styles.css";
import { askForHome } from "./api/early-home.ts";

// Must run first: the server answers the home page's requests while the browser fetches and compiles the dashboard.
void askForHome(window.location.pathname);

// In sequence, so that no single browser task has to run both.
void import("./react-first.ts").then(() => import("./main.tsx"));
