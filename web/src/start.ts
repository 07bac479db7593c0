import "@mantine/core/styles.layer.css";
import "./styles.css";
import { askForHome } from "./api/early-home.ts";

// First of all: while the browser fetches and compiles the dashboard, the server answers what home will ask.
void askForHome(window.location.pathname);

// One after the other, so that no single task of the browser has to run both.
void import("./react-first.ts").then(() => import("./main.tsx"));
