import { Instant } from '@coinlab/core';
import { RecentTexts } from '../recent-texts.js';

/** Five minutes at most, because the issuer may withdraw the key of a token. */
const REMEMBERED_MILLIS = 300_000;

export interface TokenClaims {
  readonly user: string;
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
}

interface Verified {
  readonly user: string;
  readonly from: bigint;
  readonly until: bigint;
  readonly at: number;
}

/** Clients send the same token with every request. `exp` and `nbf` are checked on every lookup. */
export class VerifiedTokens {
  readonly #verified: RecentTexts<Verified> = new RecentTexts(10_000);

  find(token: string, now: Instant): string | null {
    const found = this.#verified.get(token);
    if (!found) return null;
    const isTooOld = performance.now() - found.at > REMEMBERED_MILLIS;
    return !isTooOld && now >= found.from && now < found.until ? found.user : null;
  }

  remember(token: string, { user, exp, nbf }: TokenClaims): void {
    const from = nbf === undefined ? Instant.earliest : micros(nbf);
    const until = exp === undefined ? Instant.latest : micros(exp);
    this.#verified.set(token, { user, from, until, at: performance.now() });
  }
}

// Rounded up, because the clock is compared in whole seconds. JSON numbers such as 1e999 parse as infinite.
function micros(seconds: number): bigint {
  const within = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.ceil(seconds), Number.MAX_SAFE_INTEGER));
  return BigInt(within) * 1_000_000n;
}
