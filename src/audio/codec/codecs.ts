import { aLawCodec } from "./a-law.ts";
import type { CodecName, FrameCodec } from "./frame-codec.ts";
import { linear16BigEndian, linear16LittleEndian } from "./linear16.ts";
import { muLawCodec } from "./mu-law.ts";

const CODECS: Record<CodecName, FrameCodec> = {
  PCMU: muLawCodec,
  PCMA: aLawCodec,
  L16_BE: linear16BigEndian,
  L16_LE: linear16LittleEndian,
};

/** Returns the codec of an encoding. */
export function codecNamed(name: CodecName): FrameCodec {
  return CODECS[name];
}
