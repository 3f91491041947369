import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import { ok } from '../kernel/result.js';
import { contractId } from '../kernel/shape.js';
import { directArgument, payDirectly, type DirectArgument } from '../rules/transfer/one-step.js';
import { packDirectTransfer } from '../rules/transfer/packed-transfer.js';
import { startTracking, trackedTransfer } from '../rules/tracking.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer/transfer-detail.js';
import { paidBy, FACTORY } from '../rules/history.js';
import { shapeOf, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The one-step transfer to a receiver with a preapproval. Its provider is credited with the app reward; the sender
 * pays all fees. Acts as the sender.
 * Source: specification §7.2, §3.15.
 */
export interface DirectTransfer extends DirectArgument {
  readonly type: 'DirectTransfer';
}

export interface DirectDetail extends TransferDetail {
  readonly preapproval: ContractId;
}

export interface DirectDetails {
  readonly TransferCompleted: DirectDetail;
}

const outcomes = {
  DirectTransfer: {
    becomes: ['TransferCompleted'],
    refusals: [
      'NOT_AUTHORISED',
      'ADMIN_MISMATCH',
      'CONTRACT_NOT_FOUND',
      'GROUP_MISMATCH',
      'PREAPPROVAL_EXPIRED',
      'registry terms',
      'coins',
      'funds',
    ],
  },
} as const;

export const direct: Workflow<DirectTransfer, DirectDetails, typeof outcomes> = {
  commands: { DirectTransfer: shapeOf<DirectTransfer>(directArgument) },
  outcomes,
  source: '§7.2, §3.15',
  updates: {
    TransferCompleted: {
      detail: transferDetail<DirectDetail>({ preapproval: contractId }),
      consent: {
        controllers: ({ update }) => [[update.detail.sender]],
        exercised: ({ before, update }) => [find(before, 'TransferPreapproval', update.detail.preapproval)],
        throughRules: true,
      },
      ends: null,
      history: paidBy('sender', FACTORY),
    },
  },
  pack: { DirectTransfer: packDirectTransfer },
  decide,
};

function decide(command: DirectTransfer, state: LedgerState, context: Context): Decision<DirectDetails> {
  const effects = new Effects(state);
  const paid = payDirectly(command, state, context, effects);
  if (!paid.ok) return paid;
  const { terms, done, preapproval } = paid.value;
  const tracked = trackedTransfer(terms);
  const coin = done.outputs[0];
  if (tracked && coin) startTracking(tracked, terms.receiver, coin.id, effects, 'completed');
  const detail = detailOf(terms, command.inputs.length, done, effects, { preapproval: preapproval.id });
  return ok(effects.outcomeOf('TransferCompleted', detail));
}
