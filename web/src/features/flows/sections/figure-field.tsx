import { NumberInput } from "@mantine/core";
import { formatNumber } from "#web/ui/format/format.ts";
import type { FlowFormType } from "./flow-values.ts";

/** A number that may be left empty, which means the usual one. */
export function FigureField(props: {
  form: FlowFormType;
  path: string;
  label: string;
  description?: string;
  unit?: string;
  /** What holds when the field is empty. */
  usual: number;
  min: number;
  max: number;
  decimals?: boolean;
}) {
  const { form, path, label, description, unit, usual, min, max, decimals = false } = props;
  return (
    <NumberInput
      label={label}
      {...(description === undefined ? {} : { description })}
      placeholder={[formatNumber(usual), unit].filter(Boolean).join(" ")}
      min={min}
      max={max}
      allowDecimal={decimals}
      step={decimals ? 0.1 : 1}
      hideControls
      clampBehavior="none"
      {...(unit === undefined ? {} : { suffix: ` ${unit}` })}
      {...form.getInputProps(path)}
    />
  );
}
