import { useSyncExternalStore } from "react";

interface Rules {
  split: (number: string) => string[];
  /** The calling code of a country, such as +44; empty for one that has none. */
  codeOf: (country: string) => string;
}

const E164 = /^\+[1-9]\d{4,14}$/;

let rules: Rules | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

/** Loads the rules of all countries once the first number was drawn: the first load of the dashboard goes without. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isLoading) {
    isLoading = true;
    void import("libphonenumber-js/min").then(
      ({ default: parse, getCountryCallingCode, isSupportedCountry }) => {
        rules = {
          split: (number) => (parse(number)?.formatInternational() ?? number).split(/[\s-]+/),
          codeOf: (country) => (isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : ""),
        };
        for (const heard of listeners) heard();
      },
      // Without the rules, numbers stay as they are; the next one tries again.
      () => (isLoading = false),
    );
  }
  return () => listeners.delete(listener);
}

/** True for a text that is a phone number with its country. */
export function isPhone(text: string): boolean {
  return E164.test(text);
}

/** Returns a function that splits a number into groups of digits, as its country writes it: +44, 20, 7002, 4981. */
export function usePhoneGroups(): (number: string) => string[] {
  const known = useRules();
  return (number) => (known && isPhone(number) ? known.split(number) : [number]);
}

/** Returns a function that names the calling code of a country: +44 for GB; empty until the rules are there. */
export function useCallingCodes(): (country: string) => string {
  const known = useRules();
  return (country) => known?.codeOf(country) ?? "";
}

function useRules(): Rules | null {
  return useSyncExternalStore(subscribe, () => rules);
}
