import { jwtVerify, type JWTPayload } from 'jose';
import type { Instant } from '@coinlab/core';
import type { Configured, ServerConfig } from '../config.js';
import { machineTime, type Clock } from '../host/clock.js';
import type { Host } from '../host/host.js';
import { callerNamed, type Identified } from '../host/callers.js';
import { StateCache } from '../host/state-cache.js';
import { SILENT, type Logger } from '../observe/logger.js';
import { Problem } from '../problem.js';
import type { Caller, Soon } from '../request.js';
import { issuerKeys } from './issuer-keys.js';
import { VerifiedTokens } from './verified-tokens.js';

export type Authenticate = (authorization: string | undefined) => Soon<Caller>;

const CANTON_CLAIM = 'https://canton-network';
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="coinlab"' } };

/**
 * Every request checks `exp` and `nbf`, by default on the machine's clock, since issuers have no ledger time.
 * Source: specification of the API §1.2, §1.3.
 */
export function authenticator(
  server: Identified & Configured<'auth'>,
  host: Pick<Host, 'state' | 'clock'>,
  logger: Logger = SILENT,
): Authenticate {
  const { auth } = server.config;
  const now = (): Instant => tokenTime(auth, host.clock);
  const key = auth.algorithm === 'rs-256' ? issuerKeys(auth.jwksUrl, logger) : async () => bytesOf(auth.secret);
  const algorithms = [auth.algorithm === 'rs-256' ? 'RS256' : 'HS256'];
  const known = new VerifiedTokens();
  const verify = async (token: string): Promise<JWTPayload> => {
    const currentDate = new Date(Number(now() / 1_000n));
    return (await jwtVerify(token, key, { audience: auth.audience, currentDate, algorithms })).payload;
  };
  const callers = new StateCache<Caller>();
  const callerOf = (user: string): Caller => {
    const { state } = host;
    return callers.get(state, user, () => callerNamed(user, state, server));
  };
  const verifyFirst = async (authorization: string): Promise<Caller> => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/.exec(authorization)?.[1];
    const payload = token === undefined ? null : await verify(token).catch(nullIfInvalid);
    const user = payload && subjectOf(payload);
    if (!payload || user === null) throw new Problem(401, 'the token is invalid', CHALLENGE);
    known.remember(authorization, { user, exp: payload.exp, nbf: payload.nbf });
    return callerOf(user);
  };

  return (authorization) => {
    if (authorization === undefined) throw new Problem(401, 'no token: send Authorization: Bearer TOKEN', CHALLENGE);
    const user = known.find(authorization, now());
    return user === null ? verifyFirst(authorization) : callerOf(user);
  };
}

export function tokenTime({ clock }: ServerConfig['auth'], ledger: Clock): Instant {
  return clock === 'machine' ? machineTime() : ledger.now();
}

/** All invalid tokens get the same response. */
function nullIfInvalid(error: unknown): null {
  if (error instanceof Problem) throw error;
  return null;
}

function subjectOf({ sub, [CANTON_CLAIM]: claim }: JWTPayload): string | null {
  if (claim === undefined) return nameIn(sub);
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) return null;
  return nameIn('daml_user' in claim ? claim.daml_user : sub);
}

// The token's `sub` may have another type than declared.
function nameIn(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim : null;
}

function bytesOf(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
