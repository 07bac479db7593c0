/** Text shown in place of a stored secret; sent back, it leaves the secret unchanged. */
export const MASK = "********";
