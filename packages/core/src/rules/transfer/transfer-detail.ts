import type { Effects } from '../../contracts/effects.js';
import type { Amount } from '../../kernel/amount.js';
import type { ValueDetail } from '../../kernel/decision.js';
import type { ContractId, PartyId } from '../../kernel/ids.js';
import {
  amount,
  contractId,
  integer,
  list,
  mapOf,
  nullable,
  party,
  record,
  text,
  type Fields,
  type Shape,
} from '../../kernel/shape.js';
import { valueDetail } from '../workflow.js';
import { feesPaid, rewardsUsed, type FeesPaid, type RewardsUsed, type Transferred } from './transfer.js';

/** The detail of every transfer, for history and metrics. Source: specification §5.2 step 9. */
export interface TransferDetail extends ValueDetail {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  /** Amount for the receiver, in coin. */
  readonly amount: Amount;
  readonly inputs: number;
  readonly holdings: readonly ContractId[];
  readonly change: ContractId | null;
  readonly rewards: RewardsUsed | null;
  readonly fees: FeesPaid | null;
  readonly meta: Readonly<Record<string, string>>;
}

const holdings = list(contractId);
const meta = mapOf(text);
const fields: Fields<TransferDetail> = {
  ...valueDetail,
  sender: party,
  receiver: party,
  amount,
  inputs: integer,
  holdings,
  change: nullable(contractId),
  rewards: nullable(rewardsUsed),
  fees: nullable(feesPaid),
  meta,
};

/**
 * The common fields have hand-written forms, because they are read and written most. Casts: `more` has exactly the fields that
 * a `Detail` adds, which TypeScript does not derive for a generic type.
 */
export function transferDetail<Detail extends TransferDetail>(
  more: Fields<Omit<Detail, keyof TransferDetail>>,
): Shape<Detail> {
  const rest = Object.entries(more) as readonly [string, Shape<unknown>][];
  return record({ ...fields, ...more } as Fields<Detail>, {
    pack(detail, to) {
      to.amount(detail.minted);
      to.amount(detail.burned);
      to.word(detail.sender);
      to.word(detail.receiver);
      to.amount(detail.amount);
      to.integer(detail.inputs);
      holdings.pack(detail.holdings, to);
      to.count(detail.change === null ? 0 : 1);
      if (detail.change !== null) to.contract(detail.change);
      fields.rewards.pack(detail.rewards, to);
      fields.fees.pack(detail.fees, to);
      meta.pack(detail.meta, to);
      for (const [name, shape] of rest) shape.pack(detail[name as keyof Detail], to);
    },
    make(from) {
      const detail: TransferDetail & Record<string, unknown> = {
        minted: from.field(amount),
        burned: from.field(amount),
        sender: from.field(party),
        receiver: from.field(party),
        amount: from.field(amount),
        inputs: from.field(integer),
        holdings: from.field(holdings),
        change: from.field(fields.change),
        rewards: from.field(fields.rewards),
        fees: from.field(fields.fees),
        meta: from.field(meta),
      };
      for (const [name, shape] of rest) detail[name] = from.field(shape);
      return detail as object as Detail;
    },
  });
}

/** Builds one object, because it is the most frequent detail. */
export function detailOf<More extends object = object>(
  {
    sender,
    receiver,
    amount: value,
    meta: texts,
  }: {
    readonly sender: PartyId;
    readonly receiver: PartyId;
    readonly amount: Amount;
    readonly meta: Readonly<Record<string, string>>;
  },
  inputs: number,
  { outputs, change, rewards, fees }: Transferred,
  effects: Effects,
  more?: More,
): TransferDetail & More {
  const { minted, burned } = effects;
  const detail: TransferDetail = {
    minted,
    burned,
    sender,
    receiver,
    amount: value,
    inputs,
    holdings: outputs.map(({ id }) => id),
    change: change ? change.id : null,
    rewards,
    fees,
    meta: texts,
  };
  // Assigned, not spread into another object: a third of the cost.
  return Object.assign(detail, more);
}
