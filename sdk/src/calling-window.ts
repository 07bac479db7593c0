/** Times at which calls may go out. RECIPIENT: by the called person's local time; FIXED: in `timeZone`. */
export interface CallingWindow {
  timeZoneMode?: "RECIPIENT" | "FIXED";
  timeZone?: string | null;
  windows: { days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[]; start: string; end: string }[];
  /** Local dates without calls. */
  excludeDates?: string[];
}
