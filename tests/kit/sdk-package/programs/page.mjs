import * as sdk from "@parley/sdk";
import { journey } from "./journey.mjs";

globalThis.journey = (settings) => journey(sdk, settings);
