/** A passkey of the signed-in person. */
export interface Passkey {
  id: string;
  name: string;
  isBackedUp: boolean;
  regressedAt: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

/** The second factors of the signed-in person, without their secrets. */
export interface SecondFactors {
  totpSince: string | null;
  passkeys: Passkey[];
  recoveryCodesLeft: number;
  canUsePasskeys: boolean;
}

/** Path of them, below /api/console. */
export const FACTORS_PATH = "/second-factor";
