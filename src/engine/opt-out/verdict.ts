/** CERTAIN: the person wants no more contact. UNCERTAIN: they may, so the agent asks. */
export type OptOutVerdict = "CERTAIN" | "UNCERTAIN" | "NONE";
