import { type Logger, SeverityNumber } from "@opentelemetry/api-logs";
import type { LogLine } from "#src/platform/kernel/log.ts";

const SEVERITIES = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  silent: SeverityNumber.UNSPECIFIED,
};

/** Sends a line of the log as a log record: the message is its body, the fields are its attributes. */
export function exportLine(logger: Logger, { time, level, message, ...fields }: LogLine): void {
  logger.emit({
    timestamp: new Date(time),
    severityNumber: SEVERITIES[level],
    severityText: level.toUpperCase(),
    body: message,
    // As in the written line, without what JSON leaves out.
    attributes: JSON.parse(JSON.stringify(fields)) as Record<string, string>,
  });
}
