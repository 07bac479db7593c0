import { AppError } from "#src/platform/kernel/errors.ts";

/** A header name (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A header value in HTTP/1.1: tab, space, printable ASCII and Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 4_096;

/** Headers that determine a request's target and framing; only the HTTP client itself may set them. */
const FRAMING =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|http2-settings)$/;
/** Headers of the service: receivers trust that it set them, and they describe the body. */
const OWN = /^(x-service-.*|webhook-.*|user-agent|content-type|accept-encoding)$/;

/**
 * Checks a header that a workspace chose, when it is saved and again when it is sent. `opened` names service headers,
 * in lower case, that the caller may set here. Throws VALIDATION_FAILED.
 */
export function assertHeaderAllowed(name: string, value: string, opened: readonly string[] = []): void {
  assertHeaderSendable(name, value);
  const lower = name.toLowerCase();
  if (OWN.test(lower) && !opened.includes(lower)) {
    throw new AppError("VALIDATION_FAILED", `The header ${name} is set by the service.`);
  }
}

/**
 * Checks that a header can be sent and changes neither the request's target nor its framing. Throws VALIDATION_FAILED;
 * the message never quotes the value, because it may be a credential.
 */
export function assertHeaderSendable(name: string, value: string): void {
  if (!TOKEN.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new AppError("VALIDATION_FAILED", "A header name is made of letters, digits and !#$%&'*+-.^_`|~.");
  }
  if (FRAMING.test(name.toLowerCase())) {
    throw new AppError("VALIDATION_FAILED", `The header ${name} belongs to the connection and cannot be set.`);
  }
  if (!VALUE.test(value) || value.length > MAX_VALUE_LENGTH) {
    throw new AppError(
      "VALIDATION_FAILED",
      `The value of ${name} holds a character that HTTP headers cannot carry, or is too long.`,
    );
  }
}
