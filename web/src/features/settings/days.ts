/** The first moment of a day of the viewer's calendar, such as 2026-12-01. */
export function dayStart(day: string): string | undefined {
  return toIso(new Date(`${day}T00:00:00`));
}

/** The first moment after it. */
export function dayEnd(day: string): string | undefined {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + 1);
  return toIso(at);
}

/** Half-typed days have no moment. */
function toIso(at: Date): string | undefined {
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
