import { NumberInput } from "@mantine/core";
import { formatNumber } from "#web/ui/format/format.ts";
import type { FlowFormType } from "./flow-values.ts";

/** Field for a number; empty means the default. */
export function FigureField(props: {
  form: FlowFormType;
  path: string;
  label: string;
  description?: string;
  unit?: string;
  /** Default that applies when the field is empty. */
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
