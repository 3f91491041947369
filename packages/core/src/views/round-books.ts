import type { Holding } from '../contracts/holding.js';
import type { OpenMiningRound } from '../contracts/rounds.js';
import type { TransferConfig } from '../contracts/amulet-rules.js';
import { Amount } from '../kernel/amount.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { Round, type Instant } from '../kernel/time.js';
import { happeningsOf } from '../log/batch.js';
import type { Update } from '../log/update.js';
import { inCoin } from '../rules/transfer/fees.js';
import { recordedIn } from './recorded.js';
import { Sheet, type RoundAccount } from './round-books/sheet.js';

export type { RoundAccount };

/** Totals of a closed round, and of all rounds up to it. Source: specification of the API §4.3. */
export interface ClosedRoundTotals {
  readonly round: Round;
  readonly closedAt: Instant;
  readonly inRound: RoundAccount;
  readonly byEnd: RoundAccount;
}

/** A party's totals in a closed round, and in all rounds up to it. Source: specification of the API §4.3. */
export interface ClosedRoundPartyTotals {
  readonly round: Round;
  readonly party: PartyId;
  readonly inRound: RoundAccount;
  readonly byEnd: RoundAccount;
}

type Coin = Pick<Holding, 'owner' | 'amount' | 'createdAt' | 'ratePerRound'>;

/**
 * Minted rewards, bought traffic and changes of coin, round by round; collected from all updates of a log. An update
 * belongs to the newest round that was usable at its time, as wallet flows do.
 * Source: specification of the API §4.3. Assumption: A-102.
 */
export class RoundBooks {
  readonly #opened: OpenMiningRound[] = [];
  readonly #closedAt: Map<Round, Instant> = new Map();
  readonly #sheets: Map<Round, Sheet> = new Map();
  readonly #coins: Map<ContractId, Coin> = new Map();

  add(update: Update): void {
    for (const contract of update.created) {
      if (contract.template === 'OpenMiningRound') this.#opened.push(contract);
      if (contract.template === 'ClosedMiningRound') this.#closedAt.set(contract.round, update.recordTime);
    }
    const open = this.#roundAt(update.recordTime);
    if (!open) return;
    const sheet = this.#sheetOf(open.round);
    this.#enterCoins(update, sheet);
    for (const { entry } of recordedIn(update)) {
      if (entry.type !== 'transfer') continue;
      const { appRewardsUsed: appRewards, validatorRewardsUsed: validatorRewards } = entry;
      if (appRewards !== 0n || validatorRewards !== 0n)
        sheet.enter(entry.sender.party, { appRewards, validatorRewards });
    }
    for (const { kind, detail } of happeningsOf(update))
      if (kind === 'TrafficPurchased' || kind === 'TrafficToppedUp' || kind === 'TrafficRequestCompleted')
        sheet.enter(detail.payer, {
          trafficBytes: detail.trafficBytes,
          trafficCost: detail.cost,
          purchases: 1,
          lastPurchase: open.round,
        });
  }

  /** Returns the first round of the ledger, and the last round up to which all rounds are closed; null while the first one is not. */
  closedRounds(): { readonly first: Round; readonly last: Round } | null {
    const first = this.#opened[0]?.round;
    if (first === undefined || !this.#closedAt.has(first)) return null;
    let last = first;
    for (let next = first; this.#closedAt.has(next); next = Round.plus(next, 1)) last = next;
    return { first, last };
  }

  /** Returns when a round was closed; null while it is not. */
  closedAt(round: Round): Instant | null {
    return this.#closedAt.get(round) ?? null;
  }

  /** Returns the fees of a round in coin, at its price; null when it was never opened. */
  feesOf(round: Round): TransferConfig | null {
    const opened = this.#opened.find((one) => one.round === round);
    return opened ? inCoin(opened.transferConfigUsd, opened.amuletPrice) : null;
  }

  totals(from: Round, to: Round): readonly ClosedRoundTotals[] {
    const totals: ClosedRoundTotals[] = [];
    for (const { round, closedAt, sheet, byEnd } of this.#closedUntil(to))
      if (round >= from) totals.push({ round, closedAt, inRound: sheet.total, byEnd: byEnd.total });
    return totals;
  }

  /** Returns the totals of the parties active in closed rounds, sorted by round and party. */
  partyTotals(from: Round, to: Round): readonly ClosedRoundPartyTotals[] {
    const totals: ClosedRoundPartyTotals[] = [];
    for (const { round, sheet, byEnd } of this.#closedUntil(to)) {
      if (round < from) continue;
      for (const [party, inRound] of [...sheet.accounts].sort(([a], [b]) => (a < b ? -1 : 1)))
        totals.push({ round, party, inRound, byEnd: byEnd.of(party) });
    }
    return totals;
  }

  /** Returns the totals of every party up to the end of a closed round. */
  partiesBy(round: Round): ReadonlyMap<PartyId, RoundAccount> {
    let accounts: ReadonlyMap<PartyId, RoundAccount> = new Map();
    for (const { byEnd } of this.#closedUntil(round)) accounts = byEnd.accounts;
    return accounts;
  }

  *#closedUntil(
    to: Round,
  ): Generator<{ readonly round: Round; readonly closedAt: Instant; readonly sheet: Sheet; readonly byEnd: Sheet }> {
    const byEnd = new Sheet();
    for (const { round } of this.#opened) {
      const closedAt = this.#closedAt.get(round);
      if (round > to || closedAt === undefined) return;
      const sheet = this.#sheets.get(round) ?? new Sheet();
      byEnd.enterAll(sheet);
      yield { round, closedAt, sheet, byEnd };
    }
  }

  #roundAt(time: Instant): OpenMiningRound | null {
    return this.#opened.findLast(({ opensAt }) => opensAt <= time) ?? this.#opened[0] ?? null;
  }

  #sheetOf(round: Round): Sheet {
    const known = this.#sheets.get(round);
    if (known) return known;
    const sheet = new Sheet();
    this.#sheets.set(round, sheet);
    return sheet;
  }

  #enterCoins({ archived, created }: Update, sheet: Sheet): void {
    for (const id of archived) {
      const coin = this.#coins.get(id);
      if (coin) sheet.enter(coin.owner, valueOf(coin, -1));
      this.#coins.delete(id);
    }
    for (const contract of created) {
      if (contract.template !== 'Holding') continue;
      const { owner, amount, createdAt, ratePerRound } = contract;
      const coin = { owner, amount, createdAt, ratePerRound };
      this.#coins.set(contract.id, coin);
      sheet.enter(owner, valueOf(coin, 1));
    }
  }
}

/** Totals count a coin as if created in round 0: its amount and the fees of the rounds before its creation. */
function valueOf({ amount, createdAt, ratePerRound }: Coin, sign: 1 | -1): Partial<RoundAccount> {
  const asOfRoundZero = Amount.add(amount, Amount.times(ratePerRound, createdAt));
  return {
    coin: Amount.times(amount, sign),
    coinAsOfRoundZero: Amount.times(asOfRoundZero, sign),
    feeRate: Amount.times(ratePerRound, sign),
  };
}
