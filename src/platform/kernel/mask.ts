/** Text shown in place of a stored secret; sent back, it leaves the secret unchanged. */
export const MASK = "********";

/** True for a secret that leaves the stored one as it is: it was not sent, or as the mask. */
export function keepsStored(sent: string | null | undefined): sent is typeof MASK | undefined {
  return sent === undefined || sent === MASK;
}
