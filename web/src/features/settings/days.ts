/** The first instant of a day, such as 2026-12-01, in the viewer's time zone. */
export function dayStart(day: string): string | undefined {
  return toIso(new Date(`${day}T00:00:00`));
}

/** The first instant after the day. */
export function dayEnd(day: string): string | undefined {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + 1);
  return toIso(at);
}

/** ISO text of an instant; undefined for an incomplete day. */
function toIso(at: Date): string | undefined {
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
