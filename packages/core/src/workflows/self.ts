import { Effects } from '../contracts/effects.js';
import type { LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { contractId, list, party } from '../kernel/shape.js';
import { payOneself } from '../rules/transfer/one-step.js';
import { packMerge, packSelfTransfer } from '../rules/transfer/packed-transfer.js';
import { transferArgument, type TransferArgument } from '../rules/transfer/registry-transfer.js';
import { walletRound } from '../rules/rounds.js';
import { startTracking, trackedTransfer } from '../rules/tracking.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer/transfer-detail.js';
import { transfer } from '../rules/transfer/transfer.js';
import { byRules } from '../rules/consent.js';
import { paidBy, inBatch, FACTORY } from '../rules/history.js';
import { shapeOf, type Workflow, type Decision } from '../rules/workflow.js';
import { refuseUnlessActing } from '../rules/refusals.js';

/**
 * A transfer to oneself. Through the registry it makes one coin of the amount and change, so it splits, merges and
 * frees expired locks. Through the wallet it merges all inputs, including coupons, into one coin.
 * Source: specification §5.5, §7.3.
 */
export type SelfCommand = SelfTransfer | MergeHoldings;

/** Makes one coin of exactly the amount, and change. Acts as the sender, who is also the receiver. */
interface SelfTransfer extends Omit<TransferArgument, 'receiver'> {
  readonly type: 'SelfTransfer';
}

/** Merges all inputs into one coin; coupons among them are minted. Acts as the owner. */
interface MergeHoldings {
  readonly type: 'MergeHoldings';
  readonly owner: PartyId;
  readonly inputs: readonly ContractId[];
}

export interface SelfDetails {
  readonly SelfTransferred: TransferDetail;
  readonly HoldingsMerged: TransferDetail;
}

const { receiver: _, ...selfArgument } = transferArgument;
const detail = transferDetail<TransferDetail>({});

const outcomes = {
  SelfTransfer: {
    becomes: ['SelfTransferred'],
    refusals: ['NOT_AUTHORISED', 'ADMIN_MISMATCH', 'registry terms', 'coins', 'funds'],
  },
  MergeHoldings: {
    becomes: ['HoldingsMerged'],
    refusals: ['NOT_AUTHORISED', 'NO_INPUTS', 'ROUND_NOT_OPEN', 'coins and coupons', 'funds'],
  },
} as const;

export const self: Workflow<SelfCommand, SelfDetails, typeof outcomes> = {
  commands: {
    SelfTransfer: shapeOf<SelfTransfer>(selfArgument),
    MergeHoldings: shapeOf<MergeHoldings>({ owner: party, inputs: list(contractId) }),
  },
  outcomes,
  source: '§5.5, §7.3',
  updates: {
    SelfTransferred: { detail, consent: byRules('sender'), ends: null, history: paidBy('sender', FACTORY) },
    HoldingsMerged: {
      detail,
      consent: byRules('sender'),
      ends: null,
      history: paidBy('sender', inBatch('CO_MergeTransferInputs')),
    },
  },
  pack: { SelfTransfer: packSelfTransfer, MergeHoldings: packMerge },
  decide: (command, state, context) =>
    command.type === 'SelfTransfer' ? selfTransfer(command, state, context) : merge(command, state, context),
};

function selfTransfer(command: SelfTransfer, state: LedgerState, context: Context): Decision<SelfDetails> {
  const effects = new Effects(state);
  const paid = payOneself(command, state, context, effects);
  if (!paid.ok) return paid;
  const { terms, done } = paid.value;
  const tracked = trackedTransfer(terms);
  const coin = done.outputs[0];
  if (tracked && coin) startTracking(tracked, null, coin.id, effects, 'completed');
  return ok(effects.outcomeOf('SelfTransferred', detailOf(terms, command.inputs.length, done, effects)));
}

function merge({ owner, inputs }: MergeHoldings, state: LedgerState, context: Context): Decision<SelfDetails> {
  const unauthorised = refuseUnlessActing(context, owner);
  if (unauthorised) return err(unauthorised);
  if (inputs.length === 0) return err({ code: 'NO_INPUTS' });
  const round = walletRound(state, context.now);
  if (!round.ok) return round;
  const effects = new Effects(state);
  const done = transfer(
    { sender: owner, provider: owner, inputs, outputs: [], round: round.value, now: context.now },
    state,
    effects,
  );
  if (!done.ok) return done;
  const { change } = done.value;
  const terms = { sender: owner, receiver: owner, amount: change?.amount ?? Amount.zero, meta: {} };
  return ok(effects.outcomeOf('HoldingsMerged', detailOf(terms, inputs.length, done.value, effects)));
}
