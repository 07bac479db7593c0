/** When calls may go out. RECIPIENT: by the clock of the person who is called; FIXED: by that of `timeZone`. */
export interface CallingWindow {
  timeZoneMode?: "RECIPIENT" | "FIXED";
  timeZone?: string | null;
  windows: { days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[]; start: string; end: string }[];
  /** Local dates without calls. */
  excludeDates?: string[];
}
