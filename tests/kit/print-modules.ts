/** Module for Node's `--import` that prints the address of each module that a program loads, on standard error. */
export const PRINT_MODULES = `data:text/javascript,import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
