import process from "node:process";
import * as sdk from "@parley/sdk";
import { fileFrom } from "@parley/sdk/node";
import { journey } from "./journey.mjs";

const settings = JSON.parse(process.env.JOURNEY);
settings.file = await fileFrom(settings.path, "text/plain");
console.log(JSON.stringify(await journey(sdk, settings)));
