import type { PartyId } from '@coinlab/core';
import type { Context } from 'hono';
import { Problem } from '../problem.js';
import { seenOf, soon, type Caller, type Soon } from '../request.js';
import type { Authenticate } from './auth.js';

export interface TokenCheck {
  readonly authenticate: Authenticate;
}

export type WalletUser = Caller & { readonly party: PartyId };

export function requireToken(c: Context, { authenticate }: TokenCheck): Soon<Caller> {
  const seen = seenOf(c);
  if (seen.caller) return seen.caller;
  const authorization = seen.incoming ? seen.incoming.headers.authorization : c.req.header('authorization');
  return soon(callerWith(authorization, { authenticate }), (caller) => (seen.caller = caller));
}

export function callerWith(authorization: string | undefined, { authenticate }: TokenCheck): Soon<Caller> {
  return soon(authenticate(authorization), (caller) => {
    if (caller.ledgerUser?.isDeactivated) throw new Problem(403, `user ${caller.user} is deactivated`);
    return caller;
  });
}

export function requireWallet(c: Context, server: TokenCheck): Soon<Caller> {
  return soon(requireToken(c, server), (caller) => {
    if (!hasWallet(caller)) throw new Problem(404, `no wallet is installed for user ${caller.user}`);
    return caller;
  });
}

export function requireOperator(c: Context, server: TokenCheck): Soon<Caller> {
  return soon(requireToken(c, server), (caller) => {
    if (!caller.isOperator) throw new Problem(403, `user ${caller.user} is not the operator of this validator`);
    return caller;
  });
}

export function callerOf(c: Context): Caller {
  const { caller } = seenOf(c);
  if (!caller) throw new Error('the route declares no security');
  return caller;
}

export function walletOf(c: Context): WalletUser {
  const caller = callerOf(c);
  if (!hasWallet(caller)) throw new Error('the route declares that it needs no wallet');
  return caller;
}

function hasWallet(caller: Caller): caller is WalletUser {
  return caller.party !== null;
}
