import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env.PARLEY_URL ?? "http://localhost:8080";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2023",
    // Assets have a path of their own, which the server lets browsers keep for ever.
    assetsDir: "assets",
    assetsInlineLimit: 0,
    // Tells which files the first screen needs, to weigh them.
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What every page needs is one file: cut small for the screens that share parts of it, it would weigh more.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "base", tags: ["$initial"] }] } } },
  },
  server: { port: 5173, strictPort: true, proxy: { "/api": { target: server } } },
});
