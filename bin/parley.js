#!/usr/bin/env node
import { launch, orExplain } from "./launch.js";

await orExplain(() => launch("src/main.ts", process.argv.slice(2)));
