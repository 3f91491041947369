import { Amount } from '../../kernel/amount.js';
import type { PartyId } from '../../kernel/ids.js';
import type { Round } from '../../kernel/time.js';

/** Totals of a party, or of all: sums of coin and bytes, and numbers of purchases. */
export interface RoundAccount {
  readonly appRewards: Amount;
  /** Minted rewards of validators: for their users' activity and for liveness. */
  readonly validatorRewards: Amount;
  /** Created minus archived coin, without accrued holding fees. */
  readonly coin: Amount;
  /** Created minus archived coin, as if every coin had been created in round 0: its amount plus the holding fees of the rounds before its creation. */
  readonly coinAsOfRoundZero: Amount;
  /** Change of the sum of the coins' holding fees, in coin per round. */
  readonly feeRate: Amount;
  readonly trafficBytes: number;
  readonly trafficCost: Amount;
  readonly purchases: number;
  /** The last round in which traffic was bought; null before the first purchase. */
  readonly lastPurchase: Round | null;
}

const NOTHING_DONE: RoundAccount = {
  appRewards: Amount.zero,
  validatorRewards: Amount.zero,
  coin: Amount.zero,
  coinAsOfRoundZero: Amount.zero,
  feeRate: Amount.zero,
  trafficBytes: 0,
  trafficCost: Amount.zero,
  purchases: 0,
  lastPurchase: null,
};

export class Sheet {
  readonly #accounts: Map<PartyId, RoundAccount> = new Map();
  #total: RoundAccount = NOTHING_DONE;

  get total(): RoundAccount {
    return this.#total;
  }

  get accounts(): ReadonlyMap<PartyId, RoundAccount> {
    return this.#accounts;
  }

  enter(party: PartyId, done: Partial<RoundAccount>): void {
    this.#total = sum(this.#total, done);
    this.#accounts.set(party, sum(this.of(party), done));
  }

  of(party: PartyId): RoundAccount {
    return this.#accounts.get(party) ?? NOTHING_DONE;
  }

  enterAll(other: Sheet): void {
    for (const [party, done] of other.accounts) this.enter(party, done);
  }
}

function sum(a: RoundAccount, b: Partial<RoundAccount>): RoundAccount {
  return {
    appRewards: Amount.add(a.appRewards, b.appRewards ?? Amount.zero),
    validatorRewards: Amount.add(a.validatorRewards, b.validatorRewards ?? Amount.zero),
    coin: Amount.add(a.coin, b.coin ?? Amount.zero),
    coinAsOfRoundZero: Amount.add(a.coinAsOfRoundZero, b.coinAsOfRoundZero ?? Amount.zero),
    feeRate: Amount.add(a.feeRate, b.feeRate ?? Amount.zero),
    trafficBytes: a.trafficBytes + (b.trafficBytes ?? 0),
    trafficCost: Amount.add(a.trafficCost, b.trafficCost ?? Amount.zero),
    purchases: a.purchases + (b.purchases ?? 0),
    lastPurchase: b.lastPurchase ?? a.lastPurchase,
  };
}
