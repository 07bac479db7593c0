import { ROW_OUTCOMES, ROW_STATUSES } from "#src/interactions/calls/states.ts";
import { nullable, oneOf, type Static, Timestamp, TimestampInput, Type } from "#src/platform/http/schemas.ts";

const FORMATS = ["CSV", "JSON"] as const;

/** Settings of an EXPORT: the filter of its calls and the file format. */
export const ExportSettings = Type.Object(
  {
    format: oneOf(FORMATS),
    status: Type.Array(oneOf(ROW_STATUSES), { description: "Only calls in one of these states; empty: any." }),
    outcome: Type.Array(oneOf(ROW_OUTCOMES), { description: "Only calls with one of these outcomes; empty: any." }),
    createdAfter: nullable(Timestamp),
    createdBefore: nullable(Timestamp),
  },
  { $id: "ExportSettings" },
);
export type ExportSettings = Static<typeof ExportSettings>;

/** Export settings as a caller sends them. */
export const ExportSettingsInput = Type.Object(
  {
    format: Type.Optional(nullable(oneOf(FORMATS, "Default CSV."))),
    status: Type.Optional(nullable(Type.Array(oneOf(ROW_STATUSES), { maxItems: 50 }))),
    outcome: Type.Optional(nullable(Type.Array(oneOf(ROW_OUTCOMES), { maxItems: 50 }))),
    createdAfter: Type.Optional(nullable(TimestampInput)),
    createdBefore: Type.Optional(nullable(TimestampInput)),
  },
  { $id: "ExportSettingsInput" },
);
export type ExportSettingsInput = Static<typeof ExportSettingsInput>;

/** Fills in the defaults of absent settings. */
export function readExportSettings(input: ExportSettingsInput | null | undefined): ExportSettings {
  return {
    format: input?.format ?? "CSV",
    status: input?.status ?? [],
    outcome: input?.outcome ?? [],
    createdAfter: toUtc(input?.createdAfter),
    createdBefore: toUtc(input?.createdBefore),
  };
}

function toUtc(text: string | null | undefined): string | null {
  return text ? new Date(text).toISOString() : null;
}
