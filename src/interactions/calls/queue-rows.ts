/** Storing rows so that the dispatcher finds them: what call jobs share with single calls. */
export { endDefaultWaits, endPaceWaits, insertRows, openLanes, releaseHeldRows, type RowGroup } from "./store.ts";
