import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";

interface CountProps extends Omit<NumberInputProps, "value" | "onChange" | "onBlur" | "clampBehavior"> {
  value: number;
  /** Gets numbers from `min` to `max`. */
  change: (value: number) => void;
  min: number;
  max: number;
  /** Value of an empty field. */
  usual: number;
}

/** Field for a whole number that is always set. The typed text, also none or one out of range, stays until it is left. */
export function CountField({ value, change, min, max, usual, ...props }: CountProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const take = (next: number | string) => {
    const given = next === "" ? Number.NaN : Number(next);
    const taken = Number.isNaN(given) ? usual : Math.min(max, Math.max(min, given));
    setTyped(taken === next ? null : next);
    change(taken);
  };
  return (
    <NumberInput
      {...props}
      min={min}
      max={max}
      allowDecimal={false}
      clampBehavior="none"
      value={typed ?? value}
      onChange={take}
      onBlur={() => setTyped(null)}
    />
  );
}
