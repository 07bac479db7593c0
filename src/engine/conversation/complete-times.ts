import type { JsonSchema } from "#src/engine/models/models.ts";
import { isRecord, propertiesOf } from "#src/engine/stages/field-schemas.ts";
import { instantOf, localTimeIn, offsetTextAt } from "#src/platform/kernel/time-zones.ts";

/** The person's zone (IANA) and a moment of the conversation, whose offset a time of day has. */
export interface TimesAt {
  zone: string;
  at: Date;
}

const WITHOUT_OFFSET = /^(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/;

/**
 * Returns a value whose times have an offset, as the formats `time` and `date-time` require it (RFC 3339): a model that
 * hears "a quarter past two" writes 14:15, and means the person's clock. Goes through properties and items.
 */
export function completeTimes(schema: JsonSchema | undefined, value: unknown, times: TimesAt): unknown {
  if (!schema) return value;
  if (typeof value === "string") return completeTime(value, schema.format, times);
  if (Array.isArray(value)) {
    const { items } = schema;
    return isRecord(items) ? value.map((item) => completeTimes(items, item, times)) : value;
  }
  if (!isRecord(value)) return value;
  const properties = propertiesOf(schema);
  const complete = ([name, part]: [string, unknown]) => [name, completeTimes(properties.get(name), part, times)];
  return Object.fromEntries(Object.entries(value).map(complete));
}

function completeTime(text: string, format: unknown, { zone, at }: TimesAt): string {
  const [, date, time, seconds = ":00"] = WITHOUT_OFFSET.exec(text) ?? [];
  if (time === undefined || format !== (date === undefined ? "time" : "date-time")) return text;
  const local = `${date ?? localTimeIn(zone, at.getTime()).date}T${time}`;
  if (Number.isNaN(Date.parse(`${local}Z`))) return text;
  return `${date === undefined ? "" : `${date}T`}${time}${seconds}${offsetTextAt(zone, instantOf(zone, local))}`;
}
