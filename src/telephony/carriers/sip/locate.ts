import { lookup, resolveSrv } from "node:dns/promises";
import { isIP } from "node:net";
import { bareHost, howToOpen, type OutboundGuard } from "#src/platform/http/outbound-guard.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Hop, SipTransportName } from "./flow.ts";

/** More SRV targets than any trunk has. */
const MAX_SERVICES = 16;
/** Milliseconds for which an answer of the name servers is reused. */
const FRESH_MS = 30_000;

/** Host to look up. */
export interface Target {
  /** A name, or an address in digits. */
  host: string;
  /** Null, or the usual one: then SRV records may name other ports (RFC 3263). */
  port: number | null;
  transport: SipTransportName;
}

/** One SRV record. */
interface Service {
  name: string;
  port: number;
  priority: number;
  weight: number;
}

/** Queries to the name servers; both reject when there is no result. */
export interface NameServer {
  findAddresses(host: string): Promise<string[]>;
  findServices(name: string): Promise<Service[]>;
}

/** The machine's own resolver. */
export const SYSTEM_NAMES: NameServer = {
  findAddresses: async (host) => (await lookup(host, { all: true, order: "verbatim" })).map(({ address }) => address),
  findServices: (name) => resolveSrv(name),
};

/** Thrown for a host that cannot be used: its name has no address, or the guard blocks it. */
export class UnreachableHost extends Error {
  readonly code: "BLOCKED" | "DNS";

  constructor(code: "BLOCKED" | "DNS", message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the port to use when none is named. */
export function defaultPort(transport: SipTransportName): number {
  return transport === "TLS" ? 5061 : 5060;
}

/**
 * Finds the addresses of a host, in the order in which to try them, and rejects any that the guard blocks. A name is
 * looked up once for all callers within half a minute; the address that was checked is the one that is connected to.
 */
export class Locator {
  readonly #guard: OutboundGuard;
  readonly #names: NameServer;
  readonly #family: 4 | 6;
  readonly #known = new Map<string, { hops: Promise<Hop[]>; atMs: number }>();

  /** `family`: IP version of our own sockets. */
  constructor(guard: OutboundGuard, family: 4 | 6, names: NameServer = SYSTEM_NAMES) {
    this.#guard = guard;
    this.#family = family;
    this.#names = names;
  }

  /** Returns at least one hop. Rejects with an `UnreachableHost`. */
  locate(target: Target): Promise<Hop[]> {
    const key = `${target.transport} ${target.host} ${target.port ?? ""}`;
    const known = this.#known.get(key);
    if (known && Date.now() - known.atMs < FRESH_MS) return known.hops;
    const hops = this.#find(target);
    if (this.#known.size > 1_000) this.#known.clear();
    this.#known.set(key, { hops, atMs: Date.now() });
    // A failure is not cached: the next call looks up again.
    hops.catch(() => this.#known.delete(key));
    return hops;
  }

  async #find({ host: named, port, transport }: Target): Promise<Hop[]> {
    const host = bareHost(named);
    const places = await this.#findPlaces(host, port, transport);
    const usable = places.filter(({ address }) => isIP(address) === this.#family);
    if (usable.length === 0) throw new UnreachableHost("DNS", `${host} has no IPv${this.#family} address.`);
    for (const place of usable) this.#check(host, place);
    return usable.map((place) => ({ ...place, transport, host }));
  }

  async #findPlaces(host: string, port: number | null, transport: SipTransportName) {
    const usual = defaultPort(transport);
    if (isIP(host)) return [{ address: host, port: port ?? usual }];
    const services = port === null || port === usual ? await this.#findServices(host, transport) : [];
    if (services.length === 0) return this.#findAddresses(host, port ?? usual);
    const found = await Promise.all(
      // One unresolvable target must not hide the others.
      services.map((service) => this.#findAddresses(service.name, service.port).catch(() => [])),
    );
    return found.flat();
  }

  async #findAddresses(host: string, port: number): Promise<{ address: string; port: number }[]> {
    try {
      return (await this.#names.findAddresses(host)).map((address) => ({ address, port }));
    } catch (error) {
      throw new UnreachableHost("DNS", `The name ${host} cannot be resolved (${toError(error).message}).`);
    }
  }

  async #findServices(host: string, transport: SipTransportName): Promise<Service[]> {
    const prefix = { UDP: "_sip._udp", TCP: "_sip._tcp", TLS: "_sips._tcp" }[transport];
    try {
      // "." as the only target means that the service does not exist (RFC 2782).
      const all = (await this.#names.findServices(`${prefix}.${host}`)).filter(
        ({ name }) => name !== "" && name !== ".",
      );
      return orderServices(all).slice(0, MAX_SERVICES);
    } catch {
      return [];
    }
  }

  #check(host: string, { address, port }: { address: string; port: number }): void {
    try {
      this.#guard.assertAddress(host, address, port);
    } catch {
      const how = howToOpen(host, port);
      throw new UnreachableHost("BLOCKED", `${host} is, or stands for, a private or reserved address. ${how}`);
    }
  }
}

/** Sorts by priority; within a priority randomly by weight (RFC 2782). */
function orderServices(services: readonly Service[]): Service[] {
  const drawn = services.map((service) => ({ service, lot: Math.random() ** (1 / Math.max(service.weight, 0.01)) }));
  drawn.sort((a, b) => a.service.priority - b.service.priority || b.lot - a.lot);
  return drawn.map(({ service }) => service);
}
