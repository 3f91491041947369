import { firstByKey } from '@coinlab/core/views';
import type { LedgerState } from '@coinlab/core';
import { ledgerUserKey } from '@coinlab/core/contracts';
import type { Configured } from '../config.js';
import type { Caller } from '../request.js';
import { installOf, type ValidatorIdentity } from './hosted-parties.js';

export type Identified = Pick<ValidatorIdentity, 'validator' | 'participantId'> & Configured<'validatorWalletUser'>;

export function callerNamed(user: string, state: LedgerState, server: Identified): Caller {
  const { validator, participantId, config } = server;
  const isOperator = user === config.validatorWalletUser;
  const party = isOperator ? validator : (installOf(state, validator, user)?.endUser ?? null);
  const ledgerUser = firstByKey(state, 'LedgerUser', ledgerUserKey(participantId, user));
  return { user, isOperator, party, ledgerUser };
}

export function isUser({ isOperator, party, ledgerUser }: Caller): boolean {
  return isOperator || party !== null || ledgerUser !== null;
}
