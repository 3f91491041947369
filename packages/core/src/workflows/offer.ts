import { at } from '@coinlab/collections';
import { Effects } from '../contracts/effects.js';
import type { Holding } from '../contracts/holding.js';
import { find, lockContextFor, settingsOf, type LedgerState } from '../contracts/state.js';
import type { TransferInstruction } from '../contracts/transfer-instruction.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, instant, mapOf, nullable, party, text } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import { invalid, notFound, refuseFrom, refuseUnlessActing, refuseUnlessRoutine } from '../rules/refusals.js';
import { acceptTransfer, transferArgument, type TransferArgument } from '../rules/transfer/registry-transfer.js';
import { reserveFor } from '../rules/transfer/reserve.js';
import { registryRound } from '../rules/rounds.js';
import { startTracking, track, trackedTransfer, WITHDRAWN_BY_SENDER, type TrackedStep } from '../rules/tracking.js';
import { detailOf, transferDetail, type TransferDetail } from '../rules/transfer/transfer-detail.js';
import { transfer } from '../rules/transfer/transfer.js';
import { byRules, onArchived, routineOn, ofTemplate } from '../rules/consent.js';
import {
  changed,
  choiceOf,
  paid,
  FACTORY,
  type Recordable,
  type Recorded,
  type HistorySubtype,
} from '../rules/history.js';
import { detailShape, shapeOf, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The two-step transfer. A sender locks coin in a TransferInstruction; the receiver accepts or rejects it, the sender
 * withdraws it, or the DSO expires it after its deadline.
 * Source: specification §7.1, §3.12. Assumptions: A-04 (deadline is exclusive), A-07 (who may expire).
 */
type OfferCommand = CreateOffer | AcceptOffer | RejectOffer | WithdrawOffer | ExpireOffer;

/** Locks coin for a receiver. Acts as the sender. */
interface CreateOffer extends TransferArgument {
  readonly type: 'CreateOffer';
  readonly executeBefore: Instant;
}

/** Accepts the offer and receives the coin. Acts as the receiver, before the deadline. */
interface AcceptOffer {
  readonly type: 'AcceptOffer';
  readonly instruction: ContractId;
}

/** Rejects the offer. Acts as the receiver, at any time. */
interface RejectOffer {
  readonly type: 'RejectOffer';
  readonly instruction: ContractId;
}

/** Withdraws the offer. Acts as the sender, at any time. */
interface WithdrawOffer {
  readonly type: 'WithdrawOffer';
  readonly instruction: ContractId;
}

/** Ends an offer after its deadline and returns the coin to its sender. Acts as the DSO or any super validator. */
interface ExpireOffer {
  readonly type: 'ExpireOffer';
  readonly instruction: ContractId;
}

interface OfferedDetail extends TransferDetail {
  readonly instruction: ContractId;
  readonly lockedHolding: ContractId;
  readonly executeBefore: Instant;
}

interface AcceptedDetail extends TransferDetail {
  readonly instruction: ContractId;
}

interface ReturnedDetail extends ValueDetail {
  readonly instruction: ContractId;
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  /** The coin returned to the sender; null when it was archived already. */
  readonly holding: ContractId | null;
  readonly meta: Readonly<Record<string, string>>;
}

interface OfferDetails {
  readonly TransferOffered: OfferedDetail;
  readonly TransferAccepted: AcceptedDetail;
  readonly TransferRejected: ReturnedDetail;
  readonly TransferWithdrawn: ReturnedDetail;
  readonly TransferExpired: ReturnedDetail;
}

const settlement = shapeOf<AcceptOffer>({ instruction: contractId });
const returned = detailShape<ReturnedDetail>({
  instruction: contractId,
  sender: party,
  receiver: party,
  amount,
  holding: nullable(contractId),
  meta: mapOf(text),
});

const outcomes = {
  CreateOffer: {
    becomes: ['TransferOffered'],
    refusals: [
      'NOT_AUTHORISED',
      'ADMIN_MISMATCH',
      'registry terms',
      'coins',
      'TOO_MANY_LOCK_HOLDERS',
      'funds',
      'LOCK_OUTLIVES_AMULET',
    ],
  },
  AcceptOffer: { becomes: ['TransferAccepted'], refusals: ['choice', 'DEADLINE_PASSED', 'ROUND_NOT_OPEN', 'funds'] },
  RejectOffer: { becomes: ['TransferRejected'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
  WithdrawOffer: { becomes: ['TransferWithdrawn'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
  ExpireOffer: { becomes: ['TransferExpired'], refusals: ['choice', 'INVALID_ARGUMENT', 'DEADLINE_NOT_REACHED'] },
} as const;

export const offer: Workflow<OfferCommand, OfferDetails, typeof outcomes> = {
  commands: {
    CreateOffer: shapeOf<CreateOffer>({ ...transferArgument, executeBefore: instant }),
    AcceptOffer: settlement,
    RejectOffer: settlement,
    WithdrawOffer: settlement,
    ExpireOffer: settlement,
  },
  outcomes,
  source: '§7.1, §3.12',
  updates: {
    TransferOffered: {
      detail: transferDetail<OfferedDetail>({
        instruction: contractId,
        lockedHolding: contractId,
        executeBefore: instant,
      }),
      consent: byRules('sender'),
      ends: null,
      history: (update) => {
        const { sender, receiver, amount, instruction: contract } = update.detail;
        return paid(update, sender, FACTORY, update.detail, { contract, receiver, amount });
      },
    },
    TransferAccepted: {
      detail: transferDetail<AcceptedDetail>({ instruction: contractId }),
      consent: onArchived('TransferInstruction', ({ transfer }) => [[transfer.receiver]]),
      ends: 'instruction',
      history: (update) => {
        const { sender, instruction: contract } = update.detail;
        return paid(update, sender, ofInstruction('Accept'), update.detail, { contract, receiver: null, amount: null });
      },
    },
    TransferRejected: {
      detail: returned,
      consent: onArchived('TransferInstruction', ({ transfer }) => [[transfer.receiver]]),
      ends: 'instruction',
      history: (update) => recordReturn(update, 'Reject'),
    },
    TransferWithdrawn: {
      detail: returned,
      consent: onArchived('TransferInstruction', ({ transfer }) => [[transfer.sender]]),
      ends: 'instruction',
      history: (update) => recordReturn(update, 'Withdraw'),
    },
    TransferExpired: {
      detail: returned,
      consent: routineOn('TransferInstruction'),
      ends: 'instruction',
      history: (update) => recordReturn(update, 'Update'),
    },
  },
  decide,
};

function decide(command: OfferCommand, state: LedgerState, context: Context): Decision<OfferDetails> {
  if (command.type === 'CreateOffer') return createOffer(command, state, context);

  const instruction = find(state, 'TransferInstruction', command.instruction);
  if (!instruction) return err(notFound(command.instruction, 'TransferInstruction'));
  const { sender, receiver, executeBefore: deadline } = instruction.transfer;
  const { profile } = settingsOf(state);
  switch (command.type) {
    case 'AcceptOffer': {
      const refused = refuseUnlessActing(context, receiver) ?? refuseFrom(deadline, context.now);
      if (refused) return err(refused);
      return acceptOffer(instruction, state, context);
    }
    case 'RejectOffer': {
      const unauthorised = refuseUnlessActing(context, receiver);
      return unauthorised ? err(unauthorised) : returnToSender('TransferRejected', instruction, state, context);
    }
    case 'WithdrawOffer': {
      const unauthorised = refuseUnlessActing(context, sender);
      return unauthorised ? err(unauthorised) : returnToSender('TransferWithdrawn', instruction, state, context);
    }
    case 'ExpireOffer': {
      const unauthorised = refuseUnlessRoutine(context, state);
      if (unauthorised) return err(unauthorised);
      if (!profile.dsoExpiresInstructions) {
        return err(invalid('type', 'ExpireOffer', `a profile with dsoExpiresInstructions; ${profile.name} has none`));
      }
      if (context.now < deadline) return err({ code: 'DEADLINE_NOT_REACHED', deadline, at: context.now });
      return returnToSender('TransferExpired', instruction, state, context);
    }
  }
}

function createOffer(command: CreateOffer, state: LedgerState, context: Context): Decision<OfferDetails> {
  const terms = acceptTransfer(command, command.receiver, state, context);
  if (!terms.ok) return terms;
  const round = registryRound(state, context.now);
  if (!round.ok) return round;

  const { dso } = settingsOf(state);
  const { sender, receiver, executeBefore } = terms.value;
  if (sender === receiver)
    return err(invalid('receiver', receiver, 'another party than the sender; SelfTransfer pays oneself'));
  const locked = Amount.add(terms.value.amount, reserveFor(terms.value, round.value, state));
  const lock = { holders: [dso], expiresAt: executeBefore, context: lockContextFor(state, receiver) };
  const effects = new Effects(state);
  const done = transfer(
    {
      sender,
      provider: sender,
      inputs: command.inputs,
      outputs: [{ receiver: sender, amount: locked, lock }],
      round: round.value,
      now: context.now,
      coinsOnly: true,
    },
    state,
    effects,
  );
  if (!done.ok) return done;
  const lockedHolding = at(done.value.outputs, 0).id;
  const instruction = effects.add<TransferInstruction>({
    id: effects.nextId,
    template: 'TransferInstruction',
    transfer: terms.value,
    lockedHolding,
  });
  const tracked = trackedTransfer(terms.value);
  if (tracked) startTracking(tracked, receiver, instruction.id, effects);
  const { change, rewards, fees } = done.value;
  const more = { instruction: instruction.id, lockedHolding, executeBefore };
  const detail = detailOf(terms.value, command.inputs.length, { outputs: [], change, rewards, fees }, effects, more);
  return ok(effects.outcomeOf('TransferOffered', detail));
}

function acceptOffer(instruction: TransferInstruction, state: LedgerState, context: Context): Decision<OfferDetails> {
  const effects = new Effects(state);
  const freed = free(instruction, effects);
  if (!freed)
    return err({
      code: 'CONTRACT_NOT_FOUND',
      contract: instruction.lockedHolding,
      wanted: 'the locked holding of the instruction',
    });
  const round = registryRound(state, context.now);
  if (!round.ok) return round;
  const { sender, receiver, amount: value } = instruction.transfer;
  effects.archive(instruction);
  const done = transfer(
    {
      sender,
      provider: sender,
      inputs: [freed.id],
      outputs: [{ receiver, amount: value }],
      round: round.value,
      now: context.now,
    },
    state,
    effects,
  );
  if (!done.ok) return done;
  const tracked = trackedTransfer(instruction.transfer);
  const [paid] = done.value.outputs;
  if (tracked) track(tracked, { status: 'completed', contract: paid?.id ?? null }, state, effects);
  const detail = detailOf(instruction.transfer, 1, done.value, effects, { instruction: instruction.id });
  return ok(effects.outcomeOf('TransferAccepted', detail));
}

const FAILED: { readonly [Kind in 'TransferRejected' | 'TransferWithdrawn' | 'TransferExpired']: TrackedStep } = {
  TransferRejected: { status: 'failed', failure: 'rejected' },
  TransferWithdrawn: { status: 'failed', failure: 'withdrawn', reason: WITHDRAWN_BY_SENDER },
  TransferExpired: { status: 'failed', failure: 'expired' },
};

function returnToSender(
  kind: 'TransferRejected' | 'TransferWithdrawn' | 'TransferExpired',
  instruction: TransferInstruction,
  state: LedgerState,
  context: Context,
): Decision<OfferDetails> {
  const { sender, receiver, amount: value, executeBefore: deadline, meta } = instruction.transfer;
  const effects = new Effects(state);
  const freed = free(instruction, effects);
  if (!freed && context.now < deadline) return err({ code: 'DEADLINE_NOT_REACHED', deadline, at: context.now });
  effects.archive(instruction);
  const tracked = trackedTransfer(instruction.transfer);
  if (tracked) track(tracked, FAILED[kind], state, effects);
  return ok(
    effects.outcome(kind, {
      instruction: instruction.id,
      sender,
      receiver,
      amount: value,
      holding: freed?.id ?? null,
      meta,
    }),
  );
}

function free({ lockedHolding }: TransferInstruction, effects: Effects): Holding | null {
  const locked = effects.find('Holding', lockedHolding);
  if (!locked) return null;
  effects.archive(locked);
  const { owner, amount: value, createdAt, ratePerRound } = locked;
  return effects.createHolding({ owner, amount: value, createdAt, ratePerRound, lock: null });
}

function recordReturn({ detail, created }: Recordable<ReturnedDetail>, step: string): readonly Recorded[] {
  const [back] = ofTemplate(created, 'Holding');
  const receivers = [{ party: detail.sender, amount: back?.amount ?? Amount.zero }];
  const { entry } = changed(receivers, ofInstruction(step), detail.instruction);
  return [{ seenBy: [detail.sender, detail.receiver], entry }];
}

function ofInstruction(step: string): HistorySubtype {
  return choiceOf('AmuletTransferInstruction', `TransferInstruction_${step}`, {
    interface: 'Splice.Api.Token.TransferInstructionV1:TransferInstruction',
  });
}
