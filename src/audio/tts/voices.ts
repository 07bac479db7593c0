import { explainSpeechFailure, explainStatus, SpeechError } from "#src/audio/speech-faults/speech-error.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_VOICES = 1_000;
const MAX_TEXT = 200;

/** A voice that a TTS provider offers. */
export interface Voice {
  /** Id by which a flow names it. */
  id: string;
  name: string;
  /** Languages that it is made for (BCP 47, such as `en` or `de-DE`); empty where the provider names none. */
  languages: string[];
  /** Accent, gender and the like, as the provider describes them. */
  description: string | null;
}

/** Voices of one TTS provider. */
export interface VoiceSource {
  /** Voice of flows that name none; null where the provider chooses it. */
  defaultVoice: string | null;
  /** Asks for the voices; rejects with a SpeechError. */
  list(): Promise<Voice[]>;
}

/** Asks a provider for its voices over HTTP. `read` takes the parsed answer, and returns what it understands of it. */
export async function fetchVoices(
  provider: string,
  safeFetch: SafeFetch,
  { url, headers }: { url: string; headers: Record<string, string> },
  read: (answer: unknown) => Voice[],
): Promise<Voice[]> {
  try {
    const reply = await safeFetch(url, { method: "GET", headers, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES });
    if (reply.status !== 200) throw explainStatus(provider, reply.status, reply.headers);
    return read(parse(provider, reply.body)).slice(0, MAX_VOICES).map(shorten);
  } catch (error) {
    throw explainSpeechFailure(provider, error);
  }
}

function parse(provider: string, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new SpeechError("UNREADABLE", `${provider} answered with something other than a list of voices.`);
  }
}

function shorten({ id, name, languages, description }: Voice): Voice {
  const cut = (text: string) => text.slice(0, MAX_TEXT);
  return {
    id,
    name: cut(name),
    languages: languages.slice(0, 50).map(cut),
    description: description && cut(description),
  };
}

/** Returns the member of an object as a list of objects; an empty one for anything else. */
export function listOf(answer: unknown, member: string): Record<string, unknown>[] {
  const list = (answer as Record<string, unknown> | null)?.[member];
  return Array.isArray(list)
    ? list.filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null)
    : [];
}

/** Returns the texts among values, without empty ones and repeats. */
export function textsOf(values: unknown): string[] {
  const list = Array.isArray(values) ? values : [values];
  return [...new Set(list.filter((one): one is string => typeof one === "string" && one !== ""))];
}
