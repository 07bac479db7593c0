/** Every permission, as a route names it. */
export const PERMISSIONS = [
  "CALL_JOBS_READ",
  "CALL_JOBS_WRITE",
  "CALL_HISTORY_READ",
  "OUTBOUND_CALLS_TRIGGER",
  "OUTBOUND_CHATS_TRIGGER",
  "FLOWS_READ",
  "FLOWS_WRITE",
  "AGENTS_READ",
  "AGENTS_WRITE",
  "TOOLS_READ",
  "TOOLS_WRITE",
  "STRUCTURED_OUTPUTS_READ",
  "STRUCTURED_OUTPUTS_WRITE",
  "PHONE_NUMBERS_READ",
  "PHONE_NUMBERS_WRITE",
  "DATA_STORES_READ",
  "DATA_STORES_WRITE",
  "TRANSCRIPTIONS_READ",
  "TRANSCRIPTIONS_WRITE",
  "BALANCE_READ",
  "REPORTS_READ",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

const BY_NAME: ReadonlySet<string> = new Set(PERMISSIONS);

/**
 * Expands permission names: an area's bare name (`FLOWS`) grants all of the area, `OUTBOUND` both triggers. Unknown
 * names are returned in `unknown`.
 */
export function expandPermissions(names: string[]): { permissions: Permission[]; unknown: string[] } {
  const granted = new Set<string>();
  const unknown: string[] = [];
  for (const name of names.map((text) => text.trim().toUpperCase()).filter(Boolean)) {
    const area = PERMISSIONS.filter((permission) => areaOf(permission) === name);
    if (BY_NAME.has(name)) granted.add(name);
    else if (area.length > 0) area.forEach((permission) => granted.add(permission));
    else unknown.push(name);
  }
  return { permissions: PERMISSIONS.filter((permission) => granted.has(permission)), unknown };
}

function areaOf(permission: Permission): string {
  return permission.replace(/_(READ|WRITE|CALLS_TRIGGER|CHATS_TRIGGER)$/, "");
}
