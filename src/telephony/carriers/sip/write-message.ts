import { isToken } from "./sip-grammar.ts";
import { isJoinedList, type SipMessage } from "./sip-message.ts";

/** Length up to which lists are joined, so that no line is longer than other implementations read. */
const JOIN_UP_TO_CHARS = 1000;

/**
 * Writes a message; sets Content-Length to the body's length. Throws a RangeError for values that would break the lines
 * (CR, LF, NUL, a space in the URI), because they mean that external input was put into a header unchecked.
 */
export function writeMessage(message: SipMessage): Buffer {
  const lines = [writeStartLine(message)];
  let joined: string | null = null;
  for (const [name, value] of message.headers) {
    if (name === "Content-Length") continue;
    if (!isToken(name)) throw new RangeError("A header's name is not a token.");
    const last = lines.length - 1;
    if (joined === name && (lines[last] as string).length + value.length < JOIN_UP_TO_CHARS) {
      lines[last] += `, ${value}`;
    } else lines.push(`${name}: ${value}`);
    joined = isJoinedList(name) ? name : null;
  }
  lines.push(`Content-Length: ${message.body.length}`);
  if (lines.some((line) => /[\r\n\0]/.test(line))) throw new RangeError("A header holds a line break or NUL.");
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), message.body]);
}

function writeStartLine(message: SipMessage): string {
  if (message.kind === "REQUEST") {
    if (!isToken(message.method)) throw new RangeError("The method is not a token.");
    if (!/^\S+$/.test(message.uri)) throw new RangeError("The Request-URI is empty or has a space.");
    return `${message.method} ${message.uri} SIP/2.0`;
  }
  if (!Number.isInteger(message.status) || message.status < 100 || message.status > 699) {
    throw new RangeError("The status is not one of 100 to 699.");
  }
  return `SIP/2.0 ${message.status} ${message.reason}`;
}
