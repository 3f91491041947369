import type { JWTPayload } from 'jose';

/** So many tokens are remembered at most; then the one that was verified first is forgotten. */
const MOST_TOKENS = 10_000;
/** How long a token counts as verified: the key that signed it may be withdrawn meanwhile. */
const REMEMBERED_MILLIS = 300_000;

interface Verified {
  readonly payload: JWTPayload;
  readonly at: number;
}

/**
 * Tokens whose signature and audience were found good, so that a client that sends the same one with every request has it verified
 * once. `exp` and `nbf` are asked for each time.
 */
export class VerifiedTokens {
  readonly #verified: Map<string, Verified> = new Map();

  /**
   * What a token says, if it was verified lately and is valid now.
   * @param seconds of the server's clock, since 1970
   */
  find(token: string, seconds: number): JWTPayload | null {
    const found = this.#verified.get(token);
    if (!found) return null;
    const { exp, nbf } = found.payload;
    const isTooOld = performance.now() - found.at > REMEMBERED_MILLIS;
    if (!isTooOld && (exp === undefined || exp > seconds) && (nbf === undefined || nbf <= seconds))
      return found.payload;
    this.#verified.delete(token);
    return null;
  }

  /** Only what was just verified. */
  remember(token: string, payload: JWTPayload): void {
    const [first] = this.#verified.keys();
    if (this.#verified.size >= MOST_TOKENS && first !== undefined) this.#verified.delete(first);
    this.#verified.set(token, { payload, at: performance.now() });
  }
}
