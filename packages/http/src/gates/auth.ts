import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { PartyId } from '@coinlab/core';
import type { ServerConfig } from '../config.js';
import type { Host } from '../host/host.js';
import { installOf } from '../host/hosted-parties.js';
import { OfState } from '../host/of-state.js';
import { Problem } from '../problem.js';
import type { Caller, Soon } from '../request.js';
import { VerifiedTokens } from './verified-tokens.js';

/** Checks a token and says who it speaks for; refuses with a {@link Problem}. */
export type Authenticate = (authorization: string | undefined) => Soon<Caller>;

const CANTON_CLAIM = 'https://canton-network';
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="coinlab"' } };

/**
 * Bearer tokens: HS256 with a shared secret, or RS256 with keys from a JWKS address, as configured; the header's `alg` must be
 * just that. `aud` must contain the audience; `exp` and `nbf` are honoured on the server's clock.
 * Source: specification of the API §1.2, §1.3.
 * @param validator party of the operator
 */
export function authenticator(
  config: Pick<ServerConfig, 'auth' | 'validatorWalletUser'>,
  validator: PartyId,
  host: Pick<Host, 'state' | 'clock'>,
): Authenticate {
  const { auth } = config;
  const remote: JWTVerifyGetKey | null = auth.algorithm === 'rs-256' ? createRemoteJWKSet(new URL(auth.jwksUrl)) : null;
  const secret = auth.algorithm === 'hs-256-unsafe' ? new TextEncoder().encode(auth.secret) : null;
  const known = new VerifiedTokens();
  const verify = async (token: string): Promise<JWTPayload> => {
    const options = { audience: auth.audience, currentDate: new Date(Number(host.clock.now() / 1_000n)) };
    const { payload } = remote
      ? await jwtVerify(token, remote, { ...options, algorithms: ['RS256'] })
      : await jwtVerify(token, secret ?? new Uint8Array(), { ...options, algorithms: ['HS256'] });
    return payload;
  };
  const callers = new OfState<Caller>();
  const callerNamed = (user: string): Caller => {
    const { state } = host;
    return callers.get(state, user, () => {
      const isOperator = user === config.validatorWalletUser;
      return { user, isOperator, party: isOperator ? validator : (installOf(state, validator, user)?.endUser ?? null) };
    });
  };
  const verifyFirst = async (authorization: string): Promise<Caller> => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/.exec(authorization)?.[1];
    let payload: JWTPayload | null = null;
    try {
      payload = token === undefined ? null : await verify(token);
    } catch {
      // Which check failed is nobody's business but the operator's.
    }
    const user = payload && subjectOf(payload);
    if (!user) throw new Problem(401, 'the token is invalid', CHALLENGE);
    known.remember(authorization, { user, exp: payload?.exp, nbf: payload?.nbf });
    return callerNamed(user);
  };

  return (authorization) => {
    if (authorization === undefined) throw new Problem(401, 'no token: send Authorization: Bearer TOKEN', CHALLENGE);
    const user = known.find(authorization, host.clock.now());
    return user === null ? verifyFirst(authorization) : callerNamed(user);
  };
}

function subjectOf(payload: JWTPayload): string | null {
  const claim = payload[CANTON_CLAIM];
  if (typeof claim === 'object' && claim !== null && 'daml_user' in claim && typeof claim.daml_user === 'string')
    return claim.daml_user;
  return payload.sub ?? null;
}
