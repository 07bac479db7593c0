/** The groups above the rooms, from the ground up, and the groups that each may import besides itself. */
export const GROUPS: Record<string, string>;
/** The rooms of each group, and the rooms that each may import besides itself. */
export const ROOMS: Record<string, Record<string, string>>;
/** Returns the rooms, as GROUP/ROOM, that a line of the table names. */
export function permittedRooms(line: string): string[];
/** The layers of the dashboard (web/src), from the ground up; each may import those before it. */
export const WEB_LAYERS: string[];
