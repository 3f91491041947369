import type { Holding } from '../contracts/holding.js';
import { receiverOf, senderOf, type PlainTransfer } from '../contracts/plain-transfer.js';
import { plainWorthOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, Offset, PartyId, UpdateId } from '../kernel/ids.js';
import type { TransferDetail } from '../rules/transfer-detail.js';
import type { DirectDetail } from '../workflows/direct.js';
import type { Writable } from './evolve.js';
import type { Update } from './update.js';

const NO_META: Readonly<Record<string, string>> = {};

/** Where a plain transfer stands in the log. */
export interface PlaceInLog {
  readonly offset: Offset;
  readonly updateId: UpdateId;
  /** Id of the first coin that it makes. */
  readonly nextContract: number;
}

/** The update of a plain transfer: what the rules would have made of its command. */
export function updateOfPlain(plain: PlainTransfer, { offset, updateId, nextContract: first }: PlaceInLog): Update {
  const { kind, now, paid, change, preapproval } = plain;
  const [sender, receiver] = [senderOf(plain), receiverOf(plain)];
  const created: Holding[] = [];
  if (paid > 0) created.push(coinOf(plain, first, receiver, paid));
  if (change > 0) created.push(coinOf(plain, first + created.length, sender, change));
  const amount = created[0]?.amount ?? Amount.zero;
  const inputs = plain.inputs.length;
  const holdings = paid > 0 ? [first as ContractId] : [];
  const rest = change > 0 ? ((first + holdings.length) as ContractId) : null;
  // A copy: what the caller does with its list afterwards is no business of the log.
  const archived = plain.inputs.slice();
  const zero = Amount.zero;
  // Two whole literals: one that begins with a spread is two hundred times dearer.
  const detail: TransferDetail | DirectDetail =
    kind === 'TransferCompleted'
      ? {
          minted: zero,
          burned: zero,
          sender,
          receiver,
          amount,
          inputs,
          holdings,
          change: rest,
          rewards: null,
          fees: null,
          meta: NO_META,
          preapproval: preapproval as ContractId,
        }
      : {
          minted: zero,
          burned: zero,
          sender,
          receiver,
          amount,
          inputs,
          holdings,
          change: rest,
          rewards: null,
          fees: null,
          meta: NO_META,
        };
  return { offset, updateId, recordTime: now, kind, actAs: [sender], archived, created, detail } as Update;
}

/** Whether a plain transfer that was decided elsewhere can be applied in numbers: its coins are there, and are worth what is made of them, which is of the next ids. */
export function fitsPlainly(state: LedgerState, plain: PlainTransfer, firstCoin: number): boolean {
  const { from, inputs, paid, change, now } = plain;
  return now >= state.time && firstCoin === state.nextContract && plainWorthOf(state, from, inputs) === paid + change;
}

/** Applies a plain transfer, as `evolve` would apply its update. */
export function evolvePlain(state: Writable<LedgerState>, plain: PlainTransfer): void {
  state.book.transfer(plain, state.nextContract);
  state.nextContract += (plain.paid > 0 ? 1 : 0) + (plain.change > 0 ? 1 : 0);
  state.offset = (state.offset + 1) as Offset;
  state.time = plain.now;
}

function coinOf({ round, rate }: PlainTransfer, id: number, owner: PartyId, units: number): Holding {
  const amount = BigInt(units) as Amount;
  return {
    id: id as ContractId,
    template: 'Holding',
    owner,
    amount,
    createdAt: round,
    ratePerRound: rate,
    lock: null,
  };
}
