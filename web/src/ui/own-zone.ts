/** Returns the IANA zone of the browser: that of a new workspace, and of times that a person enters for themselves. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
