import type { IConfiguration } from "dependency-cruiser";

/** The groups above the rooms, from the ground up, and the groups that each may import besides itself. */
export const GROUPS: Record<string, string>;
/** The rooms of each group, and the rooms that each may import besides itself. */
export const ROOMS: Record<string, Record<string, string>>;
/** Returns the rooms, as GROUP/ROOM, that a line of the table names. */
export function permittedRooms(line: string): string[];
/** The layers of the dashboard (web/src), from the ground up; each may import those before it. */
export const WEB_LAYERS: string[];
/** The rules and options that the checker is given. */
declare const configuration: IConfiguration;
// oxlint-disable-next-line import/no-default-export -- the checker reads the default export of this file
export default configuration;
