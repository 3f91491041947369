import { Amount, balanceOf, countOf, PartyId, Round } from '@coinlab/core';
import { median, mean } from 'simple-statistics';
import type { Draw } from '../chance/draws.js';
import { amounts } from '../chance/distributions.js';
import { Streams } from '../chance/streams.js';
import type { Policy } from '../policies/policy.js';
import { ReplayLedger, type Account } from '../replay/replay-ledger.js';
import { MOST_INPUTS } from '../replay/settings.js';
import type { AmountDistribution } from '../scenario/values.js';

export interface Cycles {
  readonly policy: Policy;
  readonly opening: string | null;
  readonly deposit: AmountDistribution;
  readonly deposits: number;
  readonly payment: AmountDistribution;
  readonly payments: number;
  readonly cycles: number;
  readonly warmup: number;
  readonly seed: number;
}

export interface CyclesResult {
  readonly finalUtxos: number;
  readonly meanUtxos: number;
  readonly meanInputs: number;
  readonly medianRatio: number;
  shareWithin(inputs: number): number;
}

export function playCycles(run: Cycles): CyclesResult {
  const { deposit, payment, draw } = drawsOf(run);
  const wallet = new CycledWallet(run.policy, draw);
  if (run.opening !== null) wallet.deposit(Amount.of(run.opening));
  for (let cycle = 0; cycle < run.cycles; cycle++) {
    if (cycle === run.warmup) wallet.forget();
    for (let i = 0; i < run.deposits; i++) wallet.deposit(deposit());
    for (let i = 0; i < run.payments; i++) wallet.pay(payment());
    wallet.endCycle();
  }
  return wallet.result();
}

export function playRows(rows: readonly bigint[], policy: Policy, seed: number): CyclesResult {
  const draws = new Streams(seed).named('selection');
  const wallet = new CycledWallet(policy, (below) => draws.below(below));
  for (const row of rows) {
    if (row > 0n) wallet.deposit(Amount.ofUnits(row));
    else wallet.pay(Amount.ofUnits(-row));
    wallet.endCycle();
  }
  return wallet.result();
}

class CycledWallet {
  readonly #policy: Policy;
  readonly #draw: Draw;
  readonly #ledger: ReplayLedger = new ReplayLedger({
    seed: 1,
    maxNumInputs: MOST_INPUTS,
    holdingRate: null,
    firstRound: Round.of(1),
    roundsAdvance: false,
  });
  readonly #party: PartyId = this.#ledger.open(PartyId.of('wallet')).party;
  readonly #payee: Account = this.#ledger.open(PartyId.of('payee'));
  #ratios: number[] = [];
  #inputs: number[] = [];
  #counts: number[] = [];

  constructor(policy: Policy, draw: Draw) {
    this.#policy = policy;
    this.#draw = draw;
  }

  get #count(): number {
    return countOf(this.#ledger.state, this.#party);
  }

  deposit(amount: Amount): void {
    this.#ledger.mint(this.#party, amount);
  }

  pay(amount: Amount): void {
    const { state } = this.#ledger;
    if (balanceOf(state, this.#party).unlocked < amount) return;
    const chosen = this.#policy(state, this.#party, { amount, most: Infinity, draw: this.#draw });
    const sum = Amount.sum(chosen.map((coin) => coin.amount));
    this.#ledger.pay(this.#party, this.#payee, amount, chosen);
    this.#inputs.push(chosen.length);
    this.#ratios.push(Number(sum - amount) / Number(amount));
  }

  endCycle(): void {
    this.#counts.push(this.#count);
  }

  forget(): void {
    [this.#ratios, this.#inputs, this.#counts] = [[], [], []];
  }

  result(): CyclesResult {
    const inputs = this.#inputs;
    return {
      finalUtxos: this.#count,
      meanUtxos: mean(this.#counts),
      meanInputs: mean(inputs),
      medianRatio: median(this.#ratios),
      shareWithin: (most) => inputs.filter((count) => count <= most).length / inputs.length,
    };
  }
}

/** Simulations with and without a ledger share these draws. */
export function drawsOf({ deposit, payment, seed }: Pick<Cycles, 'deposit' | 'payment' | 'seed'>): {
  readonly deposit: () => Amount;
  readonly payment: () => Amount;
  readonly draw: Draw;
} {
  const streams = new Streams(seed);
  const draws = streams.named('selection');
  return {
    deposit: amounts(deposit, streams.named('deposits')),
    payment: amounts(payment, streams.named('payments')),
    draw: (below) => draws.below(below),
  };
}
