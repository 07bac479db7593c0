const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const LARGEST = 999_999;

/**
 * Spells out digits in English: a number up to 999,999, and digit by digit a longer one or one that begins with a zero.
 */
export function sayNumber(digits: string): string {
  const value = Number(digits);
  const isCode = value > LARGEST || (digits.length > 1 && digits.startsWith("0"));
  return isCode ? Array.from(digits, (digit) => SMALL[Number(digit)]).join(" ") : sayValue(value);
}

function sayValue(value: number): string {
  if (value < 20) return SMALL[value] as string;
  if (value < 100) return join(TENS[Math.floor(value / 10) - 2] as string, value % 10);
  if (value < 1_000) return join(`${SMALL[Math.floor(value / 100)]} hundred`, value % 100);
  return join(`${sayValue(Math.floor(value / 1_000))} thousand`, value % 1_000);
}

function join(head: string, rest: number): string {
  return rest === 0 ? head : `${head} ${sayValue(rest)}`;
}
