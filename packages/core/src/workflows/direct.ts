import { Effects } from '../contracts/effects.js';
import type { LedgerState } from '../contracts/state.js';
import type { TransferPreapproval } from '../contracts/transfer-preapproval.js';
import type { Decision, Workflow } from '../contracts/workflow.js';
import type { Context } from '../kernel/decision.js';
import type { ContractId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { ok } from '../kernel/result.js';
import { contractId, optional, record } from '../kernel/shape.js';
import { featuredRightOf, requirePreapproval } from '../rules/preapproval.js';
import {
  acceptTransfer,
  transferArgument,
  type RegistryRejection,
  type TransferArgument,
} from '../rules/registry-transfer.js';
import { registryRound } from '../rules/rounds.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer-detail.js';
import { transfer, type TransferRejection } from '../rules/transfer.js';

/**
 * The one-step transfer to a receiver who has given a preapproval. Its provider is credited with the app reward; the sender
 * pays all fees. Acts as the sender.
 * Source: specification §7.2, §3.15.
 */
export interface DirectTransfer extends TransferArgument {
  readonly type: 'DirectTransfer';
  /** Left out: the receiver's preapproval in force. */
  readonly preapproval?: ContractId;
}

/** What a direct transfer carries. */
export interface DirectDetail extends TransferDetail {
  readonly preapproval: ContractId;
}

/** What updates of this workflow carry. */
export interface DirectDetails {
  readonly TransferCompleted: DirectDetail;
}

/** In order of precedence: the registry's checks with the preapproval's among them, the round, the primitive's. */
export type DirectRejection =
  RegistryRejection | Rejected<'PREAPPROVAL_EXPIRED' | 'ROUND_NOT_OPEN'> | TransferRejection;

/** The workflow of preapproved transfers. */
export const direct: Workflow<DirectTransfer, DirectDetails, DirectRejection> = {
  commands: {
    DirectTransfer: record<Omit<DirectTransfer, 'type'>>({ ...transferArgument, preapproval: optional(contractId) }),
  },
  details: { TransferCompleted: record<DirectDetail>({ ...transferDetail, preapproval: contractId }) },
  decide,
};

function decide(
  command: DirectTransfer,
  state: LedgerState,
  context: Context,
): Decision<DirectDetails, DirectRejection> {
  const { now } = context;
  const preapproval = requirePreapproval(state, command.receiver, command.preapproval, now);
  const refusal = preapproval.ok ? null : preapproval.error;
  const terms = acceptTransfer<Rejected<'PREAPPROVAL_EXPIRED'>>(command, state, context, () => refusal);
  if (!terms.ok) return terms;
  if (!preapproval.ok) return preapproval;
  const round = registryRound(state, now);
  if (!round.ok) return round;

  const { id, provider }: TransferPreapproval = preapproval.value;
  const { sender, receiver, amount } = terms.value;
  const effects = new Effects(state);
  const done = transfer(
    {
      sender,
      provider,
      inputs: command.inputs,
      outputs: [{ receiver, amount }],
      round: round.value,
      now,
      featuredAppRight: featuredRightOf(state, provider),
      createsRewards: true,
    },
    state,
    effects,
  );
  if (!done.ok) return done;
  return ok(
    effects.outcome('TransferCompleted', {
      ...detailOf(terms.value, command.inputs.length, done.value),
      preapproval: id,
    }),
  );
}
