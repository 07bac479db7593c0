import { isIP } from "node:net";
import { resolve } from "node:path";
import { ConfigError, type Environment, readInteger } from "./environment.ts";

/** Settings of the SIP user agent that makes calls over trunks. No port is bound before the first trunk is used. */
export interface SipSettings {
  /** IP address of this machine; null: its first that is not loopback. */
  host: string | null;
  port: number;
  /** Address announced to trunks behind a NAT router; null: `host`. */
  publicHost: string | null;
  /** UDP ports for audio, two per call; null: the system chooses. */
  rtpPorts: { first: number; last: number } | null;
  /** PEM file of additional certificate authorities for trunks over TLS; null: only those that Node knows. */
  caFile: string | null;
}

const FEWEST_PORTS = 10;

/** Reads the settings of SIP; throws a ConfigError that names the variable. */
export function readSipSettings(env: Environment): SipSettings {
  return {
    host: readAddress(env, "SIP_HOST"),
    port: readInteger(env, "SIP_PORT", 5060, 1, 65_535),
    publicHost: readAddress(env, "SIP_PUBLIC_HOST"),
    rtpPorts: readRange(env.RTP_PORTS),
    caFile: env.SIP_CA_FILE ? resolve(env.SIP_CA_FILE) : null,
  };
}

/**
 * Reads one IP address. Names are refused, because the far end receives the digits; so are wildcard addresses, which
 * nobody can send to.
 */
function readAddress(env: Environment, name: string): string | null {
  const text = env[name];
  if (!text) return null;
  if (isIP(text) === 0 || text === "0.0.0.0" || text === "::") {
    throw new ConfigError(`${name} must be one address such as 192.0.2.10, not "${text}".`);
  }
  return text;
}

function readRange(text: string | undefined): SipSettings["rtpPorts"] {
  if (!text) return null;
  const [, first = "", last = ""] = /^\s*(\d{1,5})\s*-\s*(\d{1,5})\s*$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  const isRange = first !== "" && range.first >= 1024 && range.last <= 65_535;
  if (!isRange || range.last - range.first + 1 < FEWEST_PORTS) {
    throw new ConfigError(
      `RTP_PORTS must be a range of at least ${FEWEST_PORTS} ports such as 20000-20999, not "${text}".`,
    );
  }
  return range;
}
