/**
 * Where storage is very far, a connection carries only its window in each round trip, however wide the line,
 * and begins with less: many parts are tried at once, before anything is known. Where the line turns out to
 * be a slow one, all but the first are taken back. Nothing has failed then: they go again as the line takes
 * them.
 */

/** So much is tried. */
const triedBytes = 100_663_296;
/** So much is left alone in any case: even at 1.2 MB/s it goes through before a try is given up. */
const harmlessBytes = 25_165_824;
/** What would take longer than this at the pace at which it leaves is too much. */
const longestMs = 15_000;
/** When the pace is judged, where less than this share is gone: of what is gone whole it tells nothing. */
const [paceAfterMs, mostlyGone] = [2_000, 0.75];
/**
 * From then on the line may become another. What buffers hold of all parts moves for none of them in time
 * where it takes longer than this at the pace of the last seconds.
 */
const [lookAgainMs, longestInBuffersMs] = [5_000, 25_000];
/**
 * Where buffers took so large a share that nothing else tells, something should have been confirmed by the
 * time that it takes at this pace, bytes a ms.
 */
const [mostlyBuffered, slowestUnheard] = [0.5, 20_000];

/** Times are ms of a clock that never jumps. */
export class WideStart {
  #state: 'ahead' | 'pace' | 'hearing' | 'watching' | 'over' = 'ahead';
  #since = 0;
  /** Bytes that left, and those of them that buffers may have taken. */
  #gone = 0;
  #buffered = 0;
  /** When it was looked at last, and what had left by then without buffers. */
  #look = { at: 0, moved: 0 };

  /** Whether a part may go besides what is under way. Only before anything was confirmed. */
  takes(bytesTogether: number, now: number): boolean {
    if (this.#state === 'over' || bytesTogether > triedBytes) return false;
    if (this.#state === 'ahead') {
      this.#state = 'pace';
      this.#since = now;
    }
    return true;
  }

  /** Bytes left. `buffered`: so soon that they may only have gone into the system's buffers. */
  left(bytes: number, buffered: boolean): void {
    this.#gone += bytes;
    if (buffered) this.#buffered += bytes;
  }

  /** Something was confirmed: what the line takes is known. */
  end(): void {
    this.#state = 'over';
  }

  /** It may yet turn out that it was too much. */
  get isOpen(): boolean {
    return this.#state !== 'ahead' && this.#state !== 'over';
  }

  /** Whether so much under way is more than the line takes. Told once. */
  isTooMuch(bytes: number, now: number): boolean {
    if (!this.#isTooMuch(bytes, now)) return false;
    this.#state = 'over';
    return bytes > harmlessBytes;
  }

  #isTooMuch(bytes: number, now: number): boolean {
    const ms = now - this.#since;
    const moved = this.#gone - this.#buffered;
    if (this.#state === 'pace' && ms >= paceAfterMs) {
      this.#state = this.#gone < bytes * mostlyGone ? 'watching' : 'hearing';
      this.#look = { at: now, moved };
      if (this.#state === 'watching') return (moved * longestMs) / ms < bytes;
    }
    if (this.#state === 'hearing' && ms >= bytes / slowestUnheard) {
      this.#state = 'watching';
      this.#look = { at: now, moved };
      return this.#buffered > this.#gone * mostlyBuffered;
    }
    if (this.#state === 'watching' && now - this.#look.at >= lookAgainMs) {
      const pace = (moved - this.#look.moved) / (now - this.#look.at);
      this.#look = { at: now, moved };
      return pace > 0 && this.#buffered > pace * longestInBuffersMs;
    }
    return false;
  }
}
