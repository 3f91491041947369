import {
  Amount,
  Duration,
  Instant,
  holdingsOf,
  type LedgerState,
  type Submission,
  type ContractId,
  type PartyId,
  type Command,
} from '@coinlab/core';
import { allOf } from '@coinlab/core/views';
import { dso, people, provider } from '../generator/cast.js';

/** Commands that compete for the same contract or key. */
export interface Race {
  readonly name: string;
  readonly before: readonly ((state: LedgerState) => Submission)[];
  readonly competitors: (state: LedgerState) => readonly Submission[];
  /** Number of competitors that must be accepted, whatever their order. */
  readonly winners: number;
}

const [alice, bob] = people;
const HOUR = Duration.hours(1);

/** The races of a coin network; each has exactly one winner. Source: specification §10 (11, 13, 25, 46). */
export const RACES: readonly Race[] = [
  {
    name: 'one offer is accepted, rejected, withdrawn and expired',
    before: [(state) => by(state, bob, { type: 'CreateOffer', ...payment(state), executeBefore: deadline(state) })],
    competitors: (state) => {
      const instruction = last(allOf(state, 'TransferInstruction'));
      const end = [...allOf(state, 'TransferInstruction')].find(({ id }) => id === instruction)?.transfer.executeBefore;
      const at = (now: Instant | undefined, actAs: PartyId, command: Command): Submission => ({
        command,
        context: { now: now ?? state.time, actAs: [actAs] },
      });
      const intime = end && Instant.plus(end, Duration.ofMicros(-1n));
      return [
        at(intime, alice, { type: 'AcceptOffer', instruction }),
        at(intime, alice, { type: 'RejectOffer', instruction }),
        at(intime, bob, { type: 'WithdrawOffer', instruction }),
        at(end, dso, { type: 'ExpireOffer', instruction }),
      ];
    },
    winners: 1,
  },
  {
    name: 'one tracking id names several offers',
    before: [],
    competitors: (state) =>
      [alice, alice, provider].map((receiver) => by(state, bob, walletOffer(state, receiver, 'the same'))),
    winners: 1,
  },
  {
    name: 'one offer of a wallet is accepted, rejected and withdrawn',
    before: [(state) => by(state, bob, walletOffer(state, alice, 'an offer'))],
    competitors: (state) => {
      const offer = last(allOf(state, 'TransferOffer'));
      return [
        by(state, alice, { type: 'AcceptWalletOffer', offer }),
        by(state, alice, { type: 'RejectWalletOffer', offer }),
        by(state, bob, { type: 'WithdrawWalletOffer', offer, reason: 'no' }),
      ];
    },
    winners: 1,
  },
  {
    name: 'one coin is spent several times',
    before: [],
    competitors: (state) => [
      by(state, bob, { type: 'SelfTransfer', ...payment(state) }),
      by(state, bob, { type: 'DirectTransfer', ...payment(state) }),
      by(state, bob, { type: 'CreateOffer', ...payment(state), executeBefore: deadline(state) }),
    ],
    winners: 1,
  },
  {
    name: 'an accepted offer is completed twice',
    before: [
      (state) => by(state, bob, walletOffer(state, alice, 'to complete')),
      (state) => by(state, alice, { type: 'AcceptWalletOffer', offer: last(allOf(state, 'TransferOffer')) }),
    ],
    competitors: (state) => {
      const accepted = last(allOf(state, 'AcceptedTransferOffer'));
      const inputs = largest(state);
      const complete: Command = { type: 'CompleteWalletOffer', accepted, walletProvider: bob, inputs };
      return [by(state, bob, complete), by(state, bob, complete)];
    },
    winners: 1,
  },
];

function by(state: LedgerState, party: PartyId, command: Command): Submission {
  return { command, context: { now: state.time, actAs: [party] } };
}

function payment(state: LedgerState): {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly inputs: readonly ContractId[];
} {
  return { sender: bob, receiver: alice, amount: Amount.one, inputs: largest(state) };
}

function walletOffer(state: LedgerState, receiver: PartyId, trackingId: string): Command {
  const terms = { sender: bob, receiver, amount: Amount.one, unit: 'coin', trackingId } as const;
  return { type: 'CreateWalletOffer', ...terms, expiresAt: deadline(state), description: '' };
}

function deadline(state: LedgerState): Instant {
  return Instant.plus(state.time, HOUR);
}

function largest(state: LedgerState): readonly ContractId[] {
  return [...holdingsOf(state, bob, 'largest')].slice(0, 1).map(({ id }) => id);
}

function last(contracts: Iterable<{ readonly id: ContractId }>): ContractId {
  // Without contracts the result is 0, which is no contract's id.
  return Math.max(0, ...[...contracts].map(({ id }) => id)) as ContractId;
}
