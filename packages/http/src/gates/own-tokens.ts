import { SignJWT } from 'jose';
import { BadSettings, type Configured } from '../config.js';
import type { Clock } from '../host/clock.js';
import { tokenTime } from './auth.js';

/** A year, since tests advance the clock by weeks. */
const TOKEN_SECONDS = 366 * 86_400;

/** Signs a token for a user with the shared secret. Throws {@link BadSettings} when an issuer signs the tokens. */
export async function tokenFor(user: string, { auth }: Configured<'auth'>['config'], clock: Clock): Promise<string> {
  if (auth.algorithm !== 'hs-256-unsafe') throw new BadSettings(['auth: tokens are made by the issuer of the keys']);
  const now = Number(tokenTime(auth, clock) / 1_000_000n);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setAudience(auth.audience)
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(auth.secret));
}
