import { Effects } from '../contracts/effects.js';
import { settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, optional, party, text } from '../kernel/shape.js';
import { packMint } from '../rules/transfer/packed-transfer.js';
import { notDecimal, refuseUnlessActing } from '../rules/refusals.js';
import { walletRound } from '../rules/rounds.js';
import { refuseTracking, startTracking, type Tracked } from '../rules/tracking.js';
import { createCoin } from '../rules/transfer/transfer.js';
import { byRules, dsoOf } from '../rules/consent.js';
import { changed, choiceOf, type Recordable, type Recorded } from '../rules/history.js';
import { detailShape, shapeOf, type Workflow, type Decision } from '../rules/workflow.js';

/** Creation of coin on a DevNet: minted by the DSO together with the receiver, or tapped by the receiver alone. Source: specification §3.4. */
export type MintCommand = Mint | Tap;

/** Mints coin for a receiver. Acts as the DSO and the receiver. */
interface Mint {
  readonly type: 'Mint';
  readonly receiver: PartyId;
  readonly amount: Amount;
}

/** Mints coin for oneself. Acts as the receiver. */
interface Tap {
  readonly type: 'Tap';
  readonly receiver: PartyId;
  readonly amount: Amount;
  /** Id that is unique among the wallet's taps, so that a retry is refused. Default: no id. */
  readonly trackingId?: string;
}

interface MintDetail extends ValueDetail {
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly holding: ContractId;
}

export interface MintDetails {
  readonly Minted: MintDetail;
  readonly Tapped: MintDetail;
}

const asked = { receiver: party, amount };
const minting = detailShape<MintDetail>({ receiver: party, amount, holding: contractId });

const outcomes = {
  Mint: {
    becomes: ['Minted'],
    refusals: [
      'NOT_AUTHORISED',
      'DEVNET_ONLY',
      'NON_POSITIVE_AMOUNT',
      'INVALID_DECIMAL',
      'INVALID_ARGUMENT',
      'DUPLICATE_TRACKING_ID',
      'ROUND_NOT_OPEN',
    ],
  },
  Tap: {
    becomes: ['Tapped'],
    refusals: [
      'NOT_AUTHORISED',
      'DEVNET_ONLY',
      'NON_POSITIVE_AMOUNT',
      'INVALID_DECIMAL',
      'INVALID_ARGUMENT',
      'DUPLICATE_TRACKING_ID',
      'ROUND_NOT_OPEN',
    ],
  },
} as const;

export const mint: Workflow<MintCommand, MintDetails, typeof outcomes> = {
  commands: { Mint: shapeOf<Mint>(asked), Tap: shapeOf<Tap>({ ...asked, trackingId: optional(text) }) },
  outcomes,
  source: '§3.4',
  updates: {
    Minted: {
      detail: minting,
      consent: { controllers: (step) => [[dsoOf(step), step.update.detail.receiver]], throughRules: true },
      ends: null,
      history: (update) => recordGain(update, 'AmuletRules_Mint'),
    },
    Tapped: {
      detail: minting,
      consent: byRules('receiver'),
      ends: null,
      history: (update) => recordGain(update, 'AmuletRules_DevNet_Tap'),
    },
  },
  pack: { Mint: packMint },
  decide,
};

function decide(command: MintCommand, state: LedgerState, context: Context): Decision<MintDetails> {
  const { dso, isDevNet } = settingsOf(state);
  const { type, receiver, amount: value } = command;
  const unauthorised =
    type === 'Mint' ? refuseUnlessActing(context, dso, receiver) : refuseUnlessActing(context, receiver);
  if (unauthorised) return err(unauthorised);
  if (!isDevNet) return err({ code: 'DEVNET_ONLY', choice: type });
  if (value <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: 'amount', amount: value });
  if (!Amount.inRange(value)) return err(notDecimal('amount', value));
  const tracked: Tracked | null =
    command.type === 'Tap' && command.trackingId !== undefined
      ? { subject: 'tap', owner: receiver, trackingId: command.trackingId }
      : null;
  const refused = tracked && refuseTracking(tracked, state);
  if (refused) return err(refused);
  const round = walletRound(state, context.now);
  if (!round.ok) return round;
  const effects = new Effects(state);
  const holding = createCoin(effects, receiver, value, round.value, null);
  if (tracked) startTracking(tracked, null, holding.id, effects, 'completed');
  effects.mint(value);
  const { minted, burned } = effects;
  const detail = { minted, burned, receiver, amount: value, holding: holding.id };
  return ok(effects.outcomeOf(type === 'Mint' ? 'Minted' : 'Tapped', detail));
}

function recordGain({ detail }: Recordable<MintDetail>, choice: string): readonly Recorded[] {
  return [changed([{ party: detail.receiver, amount: detail.amount }], choiceOf('AmuletRules', choice))];
}
