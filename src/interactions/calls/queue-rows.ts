/** Functions that store rows for the dispatcher, shared by call jobs and single calls. */
export { insertCallBack, insertRows, openLanes, releaseHeldRows, type RowGroup, wakeLanes } from "./store.ts";
