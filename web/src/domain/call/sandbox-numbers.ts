/** A simulated person; the last two digits decide the behaviour. */
interface SandboxNumber {
  number: string;
  label: string;
}

const PEOPLE: Record<string, string> = {
  "00": "answers, agrees",
  "01": "answers, declines",
  "02": "asks three questions",
  "03": "interrupts the agent",
  "04": "stays silent",
  "05": "speaks another language",
  "06": "wants a human",
  "07": "wrong person",
  "08": "call me later",
  "09": "gives bad data, then corrects",
  "10": "busy",
  "11": "no answer",
  "12": "rejects the call",
  "13": "busy, then answers",
  "14": "no answer twice, then answers",
  "20": "voicemail with a beep",
  "21": "voicemail is full",
  "22": "IVR menu",
  "23": "fax",
  "24": "call screener",
  "30": "unallocated number",
  "31": "switched off",
  "32": "on the do-not-call list",
  "33": "country not enabled",
  "40": "carrier unavailable",
  "41": "carrier throttles",
  "42": "carrier credentials wrong",
  "43": "media drops at 10 s",
  "44": "no events ever",
  "45": "the dial times out",
  "46": "error after accepting",
  "47": "every event twice",
  "48": "events late and out of order",
  "50": "hangs up on hello",
  "51": "hangs up mid-sentence",
  "53": "slow to answer",
  "54": "slow talker",
  "55": "never stops talking",
};

/** Numbers that always reach a simulated person, in every workspace. */
export const SANDBOX_NUMBERS: SandboxNumber[] = Object.entries(PEOPLE)
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(([code, label]) => ({ number: `+120255501${code}`, label }));

/** True for a number reserved for fiction: it never rings anywhere. */
export function isSandboxNumber(number: string): boolean {
  return /^(\+120255501|\+4420794601|\+612555001)\d\d$/.test(number);
}
