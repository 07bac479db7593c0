/** Adds up the time that nobody speaks, in milliseconds of call time, since the person spoke last. */
export class Silence {
  #atMs = 0;
  #quietMs = 0;
  #isBusy = false;

  /** Milliseconds of silence up to `atMs`. */
  at(atMs: number): number {
    if (!this.#isBusy) this.#quietMs += Math.max(0, atMs - this.#atMs);
    this.#atMs = Math.max(this.#atMs, atMs);
    return this.#quietMs;
  }

  /** Notes that our side begins or ends to be heard: this is no silence, nor an answer of the person. */
  setBusy(isBusy: boolean, atMs: number): void {
    this.at(atMs);
    this.#isBusy = isBusy;
  }

  /** Notes that the person was heard. */
  end(atMs: number): void {
    this.#atMs = Math.max(this.#atMs, atMs);
    this.#quietMs = 0;
  }
}
