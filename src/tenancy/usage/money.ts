/** Formats a decimal of PostgreSQL as an amount of money: no needless zeros, but always two decimals. */
export function toMoney(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return `${whole}.${fraction.replace(/0+$/, "").padEnd(2, "0")}`;
}

const AMOUNT = /^-?\d{1,12}(\.\d{1,12})?$/;

/** True for a plain decimal text such as 12.50: no exponent, at most twelve digits on either side. */
export function isDecimal(text: string): boolean {
  return AMOUNT.test(text);
}
