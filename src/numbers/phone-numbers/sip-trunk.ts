import { isIP } from "node:net";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import { sealedColumn } from "#src/platform/secrets/sealed-column.ts";

const SRTP_RULES = ["OFF", "OPTIONAL", "REQUIRED"] as const;
const SIP_CODECS = ["PCMU", "PCMA"] as const;

const fields = {
  host: Type.String({
    pattern: "^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$|^\\[[0-9a-fA-F:]{2,39}\\]$",
    description: "a host name or address, without a port.",
  }),
  port: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 65_535, description: "Default 5060, TLS 5061." }))),
  transport: Type.Optional(nullable(oneOf(["UDP", "TCP", "TLS"], "Default UDP."))),
  username: Type.Optional(nullable(Type.String({ maxLength: 200, description: "For digest authentication." }))),
  password: Type.Optional(nullable(Type.String({ maxLength: 500, description: "Sealed at rest, masked when read." }))),
  registrationRequired: Type.Optional(nullable(Type.Boolean({ description: "Default false." }))),
  srtp: Type.Optional(nullable(oneOf(SRTP_RULES, "(extension) Encryption of the audio. Default OPTIONAL."))),
  codecs: Type.Optional(
    nullable(
      Type.Array(oneOf(SIP_CODECS), {
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        description: "(extension) best first. Default PCMU, PCMA.",
      }),
    ),
  ),
  rtpSources: Type.Optional(
    nullable(
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 20,
        description:
          "(extension) for a trunk behind NAT: ranges (CIDR) from which its audio is taken besides the address in its SDP. The first to send four packets in a row is the trunk until the next re-INVITE. Default none: only the signalled address is heard.",
      }),
    ),
  ),
};

/** A trunk as the client sends it, with a BYO_SIP number. */
export const SipTrunkInput = Type.Object(fields, { $id: "SipTrunkInput" });
export type SipTrunkInput = Static<typeof SipTrunkInput>;

/** A trunk as the API returns it: every field, the password masked. */
export const SipTrunk = Type.Object(
  {
    host: Type.String(),
    port: Type.Integer(),
    transport: oneOf(["UDP", "TCP", "TLS"]),
    username: nullable(Type.String()),
    password: nullable(Type.String({ description: `${MASK} when one is stored.` })),
    registrationRequired: Type.Boolean(),
    srtp: oneOf(SRTP_RULES, "(extension)"),
    codecs: Type.Array(oneOf(SIP_CODECS), { description: "(extension)" }),
    rtpSources: Type.Array(Type.String(), { description: "(extension) ranges (CIDR); empty: the signalled address." }),
  },
  { $id: "SipTrunk" },
);
export type SipTrunk = Static<typeof SipTrunk>;

const LATER_FIELDS: Pick<SipTrunk, "srtp" | "codecs" | "rtpSources"> = {
  srtp: "OPTIONAL",
  codecs: [...SIP_CODECS],
  rtpSources: [],
};

/** Seals a trunk's password for the number with this id. */
export type SealPassword = (password: string, numberId: string) => Buffer;

/** Completes a stored trunk, which may be older than some of its fields. */
export function completeTrunk(stored: SipTrunk): SipTrunk {
  return { ...LATER_FIELDS, ...stored };
}

/** Context under which a trunk's password is sealed; copied to another row it does not open. */
export function trunkPasswordPlace(workspaceId: string, numberId: string): string {
  return `${workspaceId}|phone_numbers|sip_secret|${numberId}`;
}

/** Passwords of trunks, as they are stored. */
export const SEALED_TRUNKS = sealedColumn("passwords of trunks", "phone_numbers", "sip_secret", trunkPasswordPlace);

/** A trunk ready to be stored: its fields, and its sealed password. */
export interface StoredTrunk {
  trunk: SipTrunk;
  secret: Buffer | null;
}

/** Fills in a trunk's defaults and seals its password; `before` holds the secret that the mask stands for. */
export function readTrunk(
  input: SipTrunkInput,
  numberId: string,
  seal: SealPassword,
  before?: StoredTrunk,
): StoredTrunk {
  const transport = input.transport ?? "UDP";
  const kept = input.password === MASK;
  if (kept && !before?.secret)
    throw fieldError("sipTrunk.password", "MASKED", "is the mask, but no password is stored.");
  // A caller who cannot read the password could still send its answers to challenges to a host of their own.
  if (kept && before?.trunk.host.toLowerCase() !== input.host.toLowerCase())
    throw fieldError("sipTrunk.password", "REQUIRED", "is required again when the host changes.");
  if (input.registrationRequired && !input.username)
    throw fieldError("sipTrunk.username", "REQUIRED", "is required to register.");
  const sealed = input.password ? seal(input.password, numberId) : null;
  const secret = kept ? (before?.secret ?? null) : sealed;
  return {
    trunk: {
      host: input.host,
      port: input.port ?? (transport === "TLS" ? 5061 : 5060),
      transport,
      username: input.username ?? null,
      password: secret === null ? null : MASK,
      registrationRequired: input.registrationRequired ?? false,
      srtp: input.srtp ?? LATER_FIELDS.srtp,
      codecs: input.codecs ?? LATER_FIELDS.codecs,
      rtpSources: readRanges(input.rtpSources ?? LATER_FIELDS.rtpSources),
    },
    secret,
  };
}

/** Normalises ranges such as 192.0.2.0/24, and single addresses as ranges of one. Throws 422 for anything else. */
function readRanges(ranges: readonly string[]): string[] {
  return ranges.map((range, index) => {
    const [, address = "", bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(range.trim()) ?? [];
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (Number(bits ?? most) > most || most < 0) {
      throw fieldError(
        `sipTrunk.rtpSources.${index}`,
        "INVALID",
        "must be a range such as 192.0.2.0/24, or an address.",
      );
    }
    return `${address}/${bits ?? most}`;
  });
}
