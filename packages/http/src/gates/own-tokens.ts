import { SignJWT } from 'jose';
import { BadSettings, type Configured } from '../config.js';
import type { Clock } from '../host/clock.js';
import { tokenTime } from './auth.js';

/** A year, because tests advance the clock by weeks. */
const TOKEN_SECONDS = 366 * 86_400;

/** Settings of {@link signToken}; all are optional. */
export interface TokenOptions {
  /** Shared secret; default: `unsafe`. */
  readonly secret?: string;
  /** Audience of the token; default: `https://canton.network.global`. */
  readonly audience?: string;
  /** Time of issue in seconds since 1970. Default: the machine's time. */
  readonly issuedAt?: number;
}

/** Signs a token (JWT, HS256) for a user, valid for a year. Servers with the setting `hs-256-unsafe` and this secret accept it. */
export async function signToken(user: string, options: TokenOptions = {}): Promise<string> {
  const { secret = 'unsafe', audience = 'https://canton.network.global' } = options;
  const issuedAt = options.issuedAt ?? Math.floor(Date.now() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(secret));
}

export async function tokenFor(user: string, { auth }: Configured<'auth'>['config'], clock: Clock): Promise<string> {
  if (auth.algorithm !== 'hs-256-unsafe') throw new BadSettings(['auth: tokens are made by the issuer of the keys']);
  return signToken(user, { ...auth, issuedAt: Number(tokenTime(auth, clock) / 1_000_000n) });
}
