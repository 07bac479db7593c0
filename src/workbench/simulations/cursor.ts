import { findNearest } from "#src/platform/http/nearest-name.ts";
import { isMapping } from "./mapping.ts";
import { describePath, type DocumentPath, type Source } from "./source.ts";
import { SuiteFault, type SuiteFaultDetail } from "./suite-fault.ts";

const MAX_FAULTS = 50;

/** Collects the faults of a document while it is read; reading goes on, so that all of them are reported together. */
export class FaultList {
  readonly #source: Source;
  readonly #where: string;
  readonly #faults: SuiteFaultDetail[] = [];

  constructor(source: Source, where: string) {
    this.#source = source;
    this.#where = where;
  }

  /** Adds a fault at a place. */
  add(path: DocumentPath, message: string): void {
    if (this.#faults.length >= MAX_FAULTS) return;
    const { line = null, column = null } = this.#source.locate(path) ?? {};
    this.#faults.push({ path: describePath(path), line, column, message });
  }

  /** Throws `SuiteFault` when there are faults. */
  throwIfAny(): void {
    if (this.#faults.length > 0) throw new SuiteFault(this.#where, this.#faults);
  }
}

/** A place in the document being read. Each reader returns undefined where the place is absent or faulty. */
export class Cursor {
  readonly value: unknown;
  readonly path: DocumentPath;
  readonly #faults: FaultList;

  constructor(value: unknown, path: DocumentPath, faults: FaultList) {
    this.value = value;
    this.path = path;
    this.#faults = faults;
  }

  /** True when nothing is written here. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** Adds a fault here. */
  fail(message: string): undefined {
    this.#faults.add(this.path, message);
  }

  /** Returns the place under a key of a mapping. */
  at(key: string): Cursor {
    const value = isMapping(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    return new Cursor(value, [...this.path, key], this.#faults);
  }

  /** Returns a place further down; it need not exist. */
  under(path: DocumentPath): Cursor {
    return new Cursor(undefined, [...this.path, ...path], this.#faults);
  }

  /** Returns true for a mapping with only these keys; adds a fault otherwise. */
  isMappingOf(keys: readonly string[]): boolean {
    if (!isMapping(this.value)) {
      if (!this.isAbsent) this.fail(`must be a mapping with ${keys.join(", ")}.`);
      return false;
    }
    for (const key of Object.keys(this.value)) {
      if (keys.includes(key)) continue;
      const meant = findNearest(key, keys);
      const advice = meant === null ? `Known here: ${keys.join(", ")}.` : `Did you mean ${meant}?`;
      this.#faults.add([...this.path, key], `is not a key of a suite. ${advice}`);
    }
    return true;
  }

  /** Returns the members of a mapping whose keys the author chose. */
  members(what: string): [string, Cursor][] {
    if (this.isAbsent) return [];
    if (!isMapping(this.value)) {
      this.fail(`must be a mapping of ${what}.`);
      return [];
    }
    return Object.keys(this.value).map((key) => [key, this.at(key)]);
  }

  /** Returns the items of a list; with `orOne`, a single value counts as a list of one. */
  items(what: string, { orOne = false, max = 1_000 } = {}): Cursor[] {
    if (this.isAbsent) return [];
    const list = Array.isArray(this.value) ? (this.value as unknown[]) : undefined;
    if (!list && orOne) return [this];
    if (!list) this.fail(`must be a list of ${what}.`);
    if (list && list.length > max) this.fail(`has more than ${max} ${what}.`);
    return (list ?? []).slice(0, max).map((item, i) => new Cursor(item, [...this.path, i], this.#faults));
  }

  /** Returns a text that is not empty. */
  text(maxCharacters = 1_000): string | undefined {
    if (this.isAbsent) return undefined;
    if (typeof this.value !== "string" || this.value.trim() === "")
      return this.fail(typeof this.value === "object" ? "must be a text." : `must be a text; put it in quotes.`);
    if (this.value.length > maxCharacters) return this.fail(`is longer than ${maxCharacters} characters.`);
    return this.value;
  }

  /** Returns a whole number within bounds. */
  integer(least: number, most: number): number | undefined {
    if (this.isAbsent) return undefined;
    const { value } = this;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.fail(`must be a whole number from ${least} to ${most}.`);
  }

  /** Returns a boolean. */
  flag(): boolean | undefined {
    if (this.isAbsent || typeof this.value === "boolean") return this.value as boolean | undefined;
    return this.fail("must be true or false.");
  }

  /** Returns one of a few words. */
  oneOf<Word extends string>(words: readonly Word[]): Word | undefined {
    if (this.isAbsent) return undefined;
    const word = words.find((one) => one === this.value);
    if (word !== undefined) return word;
    const meant = typeof this.value === "string" ? findNearest(this.value, words) : null;
    const list = words.length > 20 ? "another word" : words.join(", ");
    return this.fail(meant === null ? `must be one of ${list}.` : `is no such word. Did you mean ${meant}?`);
  }
}
