import {
  PartyId,
  Amount,
  GENESIS_TIME,
  Duration,
  Instant,
  openLedger,
  type Ledger,
  type LedgerOptions,
} from '@coinlab/core';
import { dso, founders } from '../../generator/cast.js';
import { TestLedger } from '../../world/test-ledger.js';
import type { Observer } from '../diagram.js';
import type { SmallWorld } from '../small-world.js';

/** A life cycle with a small world in which all its transitions occur. */
export interface Lifecycle {
  /** Name of the diagram, such as `transfer-offer`. */
  readonly name: string;
  readonly world: () => SmallWorld;
  readonly observe: () => Observer;
}

export const alice: PartyId = PartyId.of('alice');
export const bob: PartyId = PartyId.of('bob');

/** Preapprovals are free and the coin's price is high, so that one coin pays for everything. */
export const CHEAP: LedgerOptions = {
  config: { transferPreapprovalFeeUsd: Amount.zero },
  amuletPrice: Amount.ofWhole(100),
};

export const COIN: Pick<SmallWorld, 'parties' | 'amounts' | 'options'> = {
  parties: [alice, bob],
  amounts: [Amount.one],
  options: CHEAP,
};

export function after(minutes: number): Instant {
  return Instant.plus(GENESIS_TIME, Duration.minutes(minutes));
}

export function prepared(prepare: (test: TestLedger) => void): Ledger {
  const test = new TestLedger(openLedger(CHEAP), []);
  for (const party of [alice, bob]) test.execute({ type: 'AllocateParty', party }, party);
  for (const party of [alice, bob]) test.mint(party, Amount.one);
  prepare(test);
  return test.ledger;
}

export function founded(): Ledger {
  const svs = founders
    .slice(0, 3)
    .map((party, i) => ({ party, name: `SV ${i + 1}`, rewardWeight: 1, participantId: `PAR::sv${i + 1}::1220` }));
  return prepared((test) => test.execute({ type: 'BootstrapDso', svs }, dso));
}

export function preapprove(test: TestLedger, receiver: PartyId): void {
  const terms = { receiver, provider: alice, expiresAt: Instant.plus(test.now, Duration.days(9)), inputs: [] };
  test.execute({ type: 'CreatePreapproval', ...terms }, alice, receiver);
}
