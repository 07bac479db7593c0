// Generates a client of the document argv[2] with @hey-api/openapi-ts in the folder argv[3]. A program of its own: the
// generator writes to the console and keeps state.
import process from "node:process";
import { createClient } from "@hey-api/openapi-ts";

const [, , input, path] = process.argv;
await createClient({ input, output: { path, clean: false }, logs: { level: "error", file: false } });
