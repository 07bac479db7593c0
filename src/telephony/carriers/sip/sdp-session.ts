import { isIPv4, isIPv6 } from "node:net";
import { parseWhole } from "./sip-grammar.ts";

/** Direction of a stream, from the point of view of its writer. */
export type SdpDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";

/** One m= line with its attributes; values of the session that hold for all lines are filled in. */
export interface SdpMedia {
  media: string;
  port: number;
  protocol: string;
  formats: string[];
  /** Address digits; null when there is none that can be sent to. */
  address: string | null;
  direction: SdpDirection;
  /** The a= lines: name, and the value after its colon. */
  attributes: [name: string, value: string][];
}

/** The used parts of a session description (RFC 8866). */
export interface SdpSession {
  /** The t= line, which an answer repeats. */
  time: string;
  media: SdpMedia[];
}

const MAX_CHARS = 65_536;
const MAX_LINES = 2000;
const MAX_MEDIA = 32;
const MAX_FORMATS = 64;

interface Section {
  address: string | null | undefined;
  direction: SdpDirection | undefined;
}

/** Reads a session description; a text says what is wrong with it. Linear in its length. */
export function parseSdp(text: string): SdpSession | string {
  if (text.length > MAX_CHARS) return "is too long.";
  const lines = text.split(/\r\n|\n/, MAX_LINES + 1).filter((line) => line !== "");
  if (lines.length > MAX_LINES) return "has too many lines.";
  if (lines[0]?.trimEnd() !== "v=0") return "does not begin with v=0.";
  const session: SdpSession = { time: "0 0", media: [] };
  const whole: Section = { address: undefined, direction: undefined };
  let own: Section = whole;
  const sections: Section[] = [];
  for (const line of lines) {
    if (!/^[a-z]=/.test(line) || /[\r\0]/.test(line)) return "has a line that is none of the format.";
    if (line.startsWith("m=")) {
      const media = readMediaLine(line.slice(2));
      if (!media || session.media.length === MAX_MEDIA) return "has a media line that cannot be read.";
      session.media.push(media);
      own = { address: undefined, direction: undefined };
      sections.push(own);
    } else readLine(line, own, session);
  }
  session.media.forEach((media, index) => {
    const section = sections[index] as Section;
    media.address = (section.address === undefined ? whole.address : section.address) ?? null;
    media.direction = section.direction ?? whole.direction ?? "sendrecv";
  });
  return session;
}

function readMediaLine(value: string): SdpMedia | null {
  const [media = "", portText = "", protocol = "", ...formats] = value.trimEnd().split(" ");
  const port = parseWhole(portText.replace(/\/1$/, ""), 65_535);
  const words = [media, protocol, ...formats];
  const isReadable = formats.length > 0 && formats.length <= MAX_FORMATS;
  if (port === null || !isReadable || words.some((word) => !/^[\w\-.!%*+/:;=~]{1,80}$/.test(word))) return null;
  return { media, port, protocol, formats, address: null, direction: "sendrecv", attributes: [] };
}

function readLine(line: string, section: Section, session: SdpSession): void {
  const value = line.slice(2).trim();
  const media = session.media.at(-1);
  if (line.startsWith("c=")) section.address = readAddress(value);
  else if (line.startsWith("t=") && /^\d{1,20} \d{1,20}$/.test(value)) session.time = value;
  else if (line.startsWith("a=")) {
    if (isDirection(value)) section.direction = value;
    else if (media) {
      const colon = value.indexOf(":");
      media.attributes.push(colon < 0 ? [value, ""] : [value.slice(0, colon), value.slice(colon + 1).trim()]);
    }
  }
}

function isDirection(text: string): text is SdpDirection {
  return text === "sendrecv" || text === "sendonly" || text === "recvonly" || text === "inactive";
}

/**
 * Reads an address in digits only: a name would be a look-up that the far end chose, and a multicast address would send
 * to strangers.
 */
function readAddress(value: string): string | null {
  const match = /^IN IP([46]) ([\da-fA-F:.]{2,45})$/.exec(value);
  if (!match) return null;
  const [, family, address] = match as unknown as [string, string, string];
  if (family === "4") return isIPv4(address) && Number(address.split(".")[0]) < 224 ? address : null;
  return isIPv6(address) && !/^ff/i.test(address) ? address.toLowerCase() : null;
}

/** True for an unspecified address, the old way to put a call on hold (RFC 3264, 8.4). */
export function isUnspecified(address: string): boolean {
  return /^[0:.]+$/.test(address);
}
