/** Time zones supported by the browser, and UTC. */
export const TIME_ZONES: string[] = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
