import {
  Amount,
  ContractId,
  explain,
  Instant,
  REJECTION_CODES,
  Round,
  type Rejected,
  type RejectionCode,
} from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob } from './ledger-fixture.ts';

const at = Instant.of('2026-01-01T00:10:00Z');
const later = Instant.of('2026-01-01T00:20:00.5Z');
const contract = ContractId.of(17);
const [round, next] = [Round.of(3), Round.of(5)];

const SENTENCES: { readonly [Code in RejectionCode]: readonly [Omit<Rejected<Code>, 'code'>, string] } = {
  CONTRACT_NOT_FOUND: [{ contract, wanted: 'an input' }, 'Contract 17 is not active, or is not an input.'],
  GROUP_MISMATCH: [
    { contract, field: 'owner', expected: `an input of ${alice}`, actual: bob },
    'owner of contract 17 is bob, but must be an input of alice.',
  ],
  NOT_AUTHORISED: [{ actAs: [bob], required: alice }, 'alice must act, but the command acts as bob.'],
  DSO_MISMATCH: [{ expected: alice, actual: bob }, 'The DSO of this ledger is alice, not bob.'],
  ADMIN_MISMATCH: [{ expected: alice, actual: bob }, 'The instrument administrator of this ledger is alice, not bob.'],
  WRONG_INSTRUMENT: [
    { expected: `${alice} Amulet`, actual: `${alice} Gold` },
    'The instrument of this ledger is alice Amulet, not alice Gold.',
  ],
  NON_POSITIVE_AMOUNT: [{ field: 'amount', amount: Amount.of('-2.5') }, 'amount is -2.5, but must be above zero.'],
  INVALID_DECIMAL: [
    { field: 'sum', units: 10n, expected: 'a Decimal' },
    'sum is 10 units of 10^-10, but must be a Decimal.',
  ],
  INVALID_ARGUMENT: [{ field: 'seed', value: '-1', expected: 'from 0' }, 'seed is -1, but must be from 0.'],
  UNKNOWN_PARTY: [{ party: bob }, 'bob is not a party of this ledger: AllocateParty makes it one.'],
  REQUESTED_IN_FUTURE: [
    { requestedAt: later, at },
    'The request was made at 2026-01-01T00:20:00.5Z, after the ledger time 2026-01-01T00:10:00Z.',
  ],
  DEADLINE_PASSED: [
    { deadline: at, at: later },
    'The deadline 2026-01-01T00:10:00Z has passed: it is 2026-01-01T00:20:00.5Z.',
  ],
  DEADLINE_NOT_REACHED: [
    { deadline: later, at },
    'The command is possible from 2026-01-01T00:20:00.5Z: it is 2026-01-01T00:10:00Z.',
  ],
  PREAPPROVAL_EXPIRED: [
    { deadline: at, at: later },
    'The preapproval expired at 2026-01-01T00:10:00Z: it is 2026-01-01T00:20:00.5Z.',
  ],
  LOCK_NOT_EXPIRED: [
    { contract, expiresAt: later, at },
    'Coin 17 is locked until 2026-01-01T00:20:00.5Z: it is 2026-01-01T00:10:00Z.',
  ],
  LOCK_OUTLIVES_AMULET: [
    { lockExpiresAt: later, dustAt: at },
    'The lock ends at 2026-01-01T00:20:00.5Z, after the coin can become dust at 2026-01-01T00:10:00Z.',
  ],
  NO_INPUTS: [{}, 'The command names no inputs.'],
  DUPLICATE_INPUT: [{ contract }, 'Contract 17 is named twice.'],
  MAX_INPUTS_EXCEEDED: [{ inputs: 101, limit: 100 }, 'The transfer has 101 inputs: at most 100 are allowed.'],
  MAX_OUTPUTS_EXCEEDED: [{ outputs: 3, limit: 2 }, 'The transfer has 3 outputs: at most 2 are allowed.'],
  TOO_MANY_LOCK_HOLDERS: [{ holders: 11, limit: 10 }, 'The lock has 11 holders: at most 10 are allowed.'],
  INSUFFICIENT_FUNDS: [
    { missing: Amount.of('2.5') },
    '2.5 is missing: the inputs are worth less than the outputs and fees.',
  ],
  ROUND_NOT_OPEN: [
    { opensAt: later, at },
    'No round is open at 2026-01-01T00:10:00Z: the next one opens at 2026-01-01T00:20:00.5Z.',
  ],
  ROUND_NOT_ISSUING: [{ round, opensAt: null, at }, 'Round 3 is not issuing at 2026-01-01T00:10:00Z.'],
  NOT_DUST: [
    { contract, expiresInRound: next, oldestRound: round },
    'Coin 17 is not dust in round 3: it becomes dust in round 5.',
  ],
  NONCE_TOO_LOW: [{ nonce: 4, nextNonce: 5 }, 'Nonce 4 has been used: the next nonce is 5.'],
  NONCE_TOO_HIGH: [{ nonce: 7, nextNonce: 5 }, 'Nonce 7 is too high: the next nonce is 5.'],
  TOO_SOON: [
    { notBefore: later, at },
    'The command is possible again from 2026-01-01T00:20:00.5Z: it is 2026-01-01T00:10:00Z.',
  ],
  TIME_IN_PAST: [
    { at, ledgerTime: later },
    "The command's time 2026-01-01T00:10:00Z is before the ledger time 2026-01-01T00:20:00.5Z.",
  ],
  MERGE_NOT_REDUCING: [
    { inputs: 2, outputs: 2 },
    'The merge consumes 2 and leaves 2: it must leave fewer than it consumes.',
  ],
  DEVNET_ONLY: [{ choice: 'Tap' }, 'Tap exists on a DevNet only.'],
  UNKNOWN_SYNCHRONIZER: [{ synchronizerId: 'x' }, 'The network does not require the synchronizer x.'],
  INSUFFICIENT_TOPUP_AMOUNT: [{ requested: 1, minimum: 9 }, '1 bytes are bought: at least 9 are needed.'],
  INSUFFICIENT_TRAFFIC: [
    { trafficBytes: 9, availableBytes: 1 },
    'The message costs 9 bytes of traffic: 1 are available.',
  ],
  DUPLICATE_TRACKING_ID: [{ trackingId: 'x' }, 'The tracking id x has been used.'],
  INVALID_SIGNATURE: [{ party: bob }, 'The signature does not fit the transaction and the key of bob.'],
  DUPLICATE_COMMAND: [
    { commandId: 'c-1', submissionId: 's-1', offset: 7 },
    'A command with the id c-1 took effect at offset 7.',
  ],
  ALREADY_EXISTS: [{ what: `party ${bob}`, contract }, 'There is already party bob: contract 17.'],
  VOTE_NOT_CLOSABLE: [
    { yes: 1, no: 2, required: 3 },
    'The vote cannot close: 1 in favour and 2 against, 3 are required.',
  ],
  ROUND_NOT_EMPTY: [{ round, coupon: contract }, 'Round 3 still has coupon 17.'],
  NOT_BOOTSTRAPPED: [{}, 'The ledger is not open, or its rounds are not bootstrapped.'],
  CONTRACT_IN_TRANSIT: [{ contracts: [contract] }, 'Contract 17 is moving between synchronizers.'],
};

describe('explain', () => {
  it.each(REJECTION_CODES)('returns one sentence with names and amounts for the rejection %s', (code) => {
    const [evidence, sentence] = SENTENCES[code];
    expect(explain({ code, ...evidence } as Rejected<typeof code>)).toBe(sentence);
  });

  it('names the missing signature when the party has a key', () => {
    expect(explain({ code: 'NOT_AUTHORISED', actAs: [alice], required: alice })).toContain('SubmitPrepared');
  });

  it('says that no party acts when actAs is empty', () => {
    expect(explain({ code: 'NOT_AUTHORISED', actAs: [], required: alice })).toContain('acts as no party');
  });
});
