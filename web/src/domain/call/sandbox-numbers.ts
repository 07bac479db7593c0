import { t } from "#web/i18n/t.ts";

/** A simulated person; the last two digits decide the behaviour. */
interface SandboxNumber {
  number: string;
  label: string;
}

const PEOPLE: Record<string, string> = {
  "00": t`answers, agrees`,
  "01": t`answers, declines`,
  "02": t`asks three questions`,
  "03": t`interrupts the agent`,
  "04": t`stays silent`,
  "05": t`speaks another language`,
  "06": t`wants a human`,
  "07": t`wrong person`,
  "08": t`call me later`,
  "09": t`gives bad data, then corrects`,
  "10": t`busy`,
  "11": t`no answer`,
  "12": t`rejects the call`,
  "13": t`busy, then answers`,
  "14": t`no answer twice, then answers`,
  "20": t`voicemail with a beep`,
  "21": t`voicemail is full`,
  "22": t`IVR menu`,
  "23": t`fax`,
  "24": t`call screener`,
  "30": t`unallocated number`,
  "31": t`switched off`,
  "32": t`on the do-not-call list`,
  "33": t`country not enabled`,
  "40": t`carrier unavailable`,
  "41": t`carrier throttles`,
  "42": t`carrier credentials wrong`,
  "43": t`media drops at 10 s`,
  "44": t`no events ever`,
  "45": t`the dial times out`,
  "46": t`error after accepting`,
  "47": t`every event twice`,
  "48": t`events late and out of order`,
  "50": t`hangs up on hello`,
  "51": t`hangs up mid-sentence`,
  "53": t`slow to answer`,
  "54": t`slow talker`,
  "55": t`never stops talking`,
};

/** Numbers that always reach a simulated person, in every workspace. */
export const SANDBOX_NUMBERS: SandboxNumber[] = Object.entries(PEOPLE)
  .toSorted(([a], [b]) => a.localeCompare(b))
  .map(([code, label]) => ({ number: `+120255501${code}`, label }));

/** True for a number reserved for fiction: it never rings anywhere. */
export function isSandboxNumber(number: string): boolean {
  return /^(\+120255501|\+4420794601|\+612555001)\d\d$/.test(number);
}
