import { hash } from 'node:crypto';

interface Last {
  readonly text: string;
  readonly digest: string;
}

/** Texts of at most this length keep their digest for a while: finding a text takes a tenth of the time of its digest. */
const SHORT = 2_048;
const MOST_SHORT = 256;

/**
 * Values of the ASCII texts that were set last, found by the SHA-256 of the text; the texts themselves would be most of the memory.
 * Forgets the oldest beyond its limit.
 */
export class RecentTexts<Value> {
  readonly #most: number;
  readonly #kept: Map<string, Value> = new Map();
  readonly #digests: Map<string, string> = new Map();
  /** A text is mostly looked up several times in a row, as the same object. */
  #last: Last = { text: '', digest: '' };

  /** @param most number of texts */
  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): Value | undefined {
    return this.#kept.get(this.#digestOf(text));
  }

  set(text: string, value: Value): void {
    const digest = this.#digestOf(text);
    this.#kept.delete(digest);
    setUpTo(this.#most, this.#kept, digest, value);
  }

  #digestOf(text: string): string {
    if (text !== this.#last.text) {
      const known = text.length <= SHORT ? this.#digests.get(text) : undefined;
      const digest = known ?? hash('sha256', bytesOf(text), 'base64');
      if (known === undefined && text.length <= SHORT) setUpTo(MOST_SHORT, this.#digests, text, digest);
      this.#last = { text, digest };
    }
    return this.#last.digest;
  }
}

/** Removes the oldest entry beyond a number of entries. */
function setUpTo<Value>(most: number, map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  if (map.size <= most) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

const MOST_FRESH = 8;

/**
 * Values of texts that are mostly read once, soon after they were set. The last few are found by their text, because comparing it takes
 * a tenth of the time of its digest. Earlier ones are kept as {@link RecentTexts}, unless they were read.
 */
export class SoonReadTexts<Value> {
  readonly #earlier: RecentTexts<Value>;
  /** Oldest first. Not a map, whose earlier tables could keep large values in memory. */
  readonly #fresh: { readonly text: string; readonly value: Value; isRead: boolean }[] = [];

  /** @param most number of earlier texts */
  constructor(most: number) {
    this.#earlier = new RecentTexts(most);
  }

  get(text: string): Value | undefined {
    const fresh = this.#fresh.find((one) => one.text === text);
    if (!fresh) return this.#earlier.get(text);
    fresh.isRead = true;
    return fresh.value;
  }

  set(text: string, value: Value): void {
    if (text.length > LONGEST) return this.#earlier.set(text, value);
    this.#fresh.push({ text, value, isRead: false });
    if (this.#fresh.length <= MOST_FRESH) return;
    const oldest = this.#fresh.shift();
    if (oldest && !oldest.isRead) this.#earlier.set(oldest.text, oldest.value);
  }
}

const LONGEST = 65_536;
const letters = Buffer.allocUnsafe(LONGEST);

/** Encoding a long text as UTF-8 takes as long as hashing it; ASCII is copied. The bytes are valid until the next call. */
function bytesOf(text: string): string | Buffer {
  const isAscii = text.length <= LONGEST && Buffer.byteLength(text) === text.length;
  return isAscii ? letters.subarray(0, letters.write(text, 'latin1')) : text;
}
