import { Instant } from '@coinlab/core';

/** So many tokens are remembered at most; then the one that was verified first is forgotten. */
const MOST_TOKENS = 10_000;
/** How long a token counts as verified: the key that signed it may be withdrawn meanwhile. */
const REMEMBERED_MILLIS = 300_000;

/** What a token was found to say. */
export interface TokenClaims {
  readonly user: string;
  /** From when on it is not valid any more, and from when on it is; seconds since 1970. */
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
}

interface Verified {
  readonly user: string;
  readonly from: bigint;
  readonly until: bigint;
  readonly at: number;
}

/**
 * Tokens whose signature and audience were found good, so that a client that sends the same one with every request has it verified
 * once. `exp` and `nbf` are checked each time.
 */
export class VerifiedTokens {
  readonly #verified: Map<string, Verified> = new Map();

  /**
   * The user of a token, if it was verified lately and is valid now.
   * @param now time on the clock of tokens
   */
  find(token: string, now: Instant): string | null {
    const found = this.#verified.get(token);
    if (!found) return null;
    const isTooOld = performance.now() - found.at > REMEMBERED_MILLIS;
    if (!isTooOld && now >= found.from && now < found.until) return found.user;
    this.#verified.delete(token);
    return null;
  }

  /** Only what was just verified. */
  remember(token: string, { user, exp, nbf }: TokenClaims): void {
    const [first] = this.#verified.keys();
    if (this.#verified.size >= MOST_TOKENS && first !== undefined) this.#verified.delete(first);
    const from = nbf === undefined ? Instant.earliest : micros(nbf);
    const until = exp === undefined ? Instant.latest : micros(exp);
    this.#verified.set(token, { user, from, until, at: performance.now() });
  }
}

// The clock is read in whole seconds, so a fraction is rounded up. JSON holds numbers that are read as infinite, such as 1e999.
function micros(seconds: number): bigint {
  const within = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.ceil(seconds), Number.MAX_SAFE_INTEGER));
  return BigInt(within) * 1_000_000n;
}
