import "@mantine/core/styles.layer.css";
import "./styles.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
