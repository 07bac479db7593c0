/** The names of the time zones, as the browser knows them, and UTC. */
export const TIME_ZONES: string[] = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
