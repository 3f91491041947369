import fc from 'fast-check';
import { dustExpiringAt } from '@coinlab/core/views';
import {
  settingsOf,
  type ProfileName,
  Amount,
  type ContractId,
  type PartyId,
  Duration,
  Instant,
  Round,
  openLedger,
  type Ledger,
  PROFILE_NAMES,
} from '@coinlab/core';
import { invariant } from '@coinlab/core/workflows';
import { dustRoundOf } from '@coinlab/core/rules';
import { people } from '../generator/cast.js';
import { TestLedger } from '../world/test-ledger.js';
import { amountArb, timeAroundArb } from './amounts.js';

/** A fixed number, or an inclusive range from which one is drawn. */
export type Count = number | readonly [least: number, most: number];

/** The properties of a generated ledger. Counts without a stated default are zero. */
export interface LedgerShape {
  /** Rule profile of the ledger; default: any profile. */
  readonly profile?: ProfileName;
  /**
   * Unlocked coins of the owner, including those of `dustAboutToExpire`. Default: 99 to 102, around the limit
   * of inputs.
   */
  readonly holdings?: Count;
  /** Amounts of the coins. Default: every kind of amount up to 10¹² coin. */
  readonly amounts?: fc.Arbitrary<Amount>;
  /** Coins of the owner that become dust one round after the ledger's newest round. */
  readonly dustAboutToExpire?: Count;
  /** Pending offers to the owner with the same deadline. */
  readonly offersAtDeadline?: Count;
}

/** A generated ledger with its special contracts and times. */
export interface ShapedLedger {
  readonly ledger: Ledger;
  readonly profile: ProfileName;
  readonly owner: PartyId;
  readonly sender: PartyId;
  readonly dust: readonly ContractId[];
  readonly offers: readonly ContractId[];
  /** The common deadline of the offers: two hours after the ledger's time. */
  readonly deadline: Instant;
  /** A time before, at or after the deadline, never before the ledger's time. */
  readonly now: Instant;
}

const [alice, bob] = people;
const UP_TO_DEADLINE = Duration.hours(2);
const MOST: Amount = Amount.ofWhole(10n ** 12n);

/**
 * Returns an arbitrary of ledgers with the properties of `shape`, built from accepted commands. Failing
 * ledgers shrink to the smallest counts and ordinary amounts.
 */
export function ledgerArb(shape: LedgerShape = {}): fc.Arbitrary<ShapedLedger> {
  const { profile, holdings = [99, 102], dustAboutToExpire = 0, offersAtDeadline = 0 } = shape;
  const { amounts = amountArb({ most: MOST }) } = shape;
  return fc
    .record({
      profile: profile === undefined ? fc.constantFrom(...PROFILE_NAMES) : fc.constant(profile),
      holdings: countArb(holdings),
      dust: countArb(dustAboutToExpire),
      offers: countArb(offersAtDeadline),
      // The coins share at most four amounts: a hundred different amounts would shrink too slowly.
      amounts: fc.array(amounts, { minLength: 1, maxLength: 4 }),
      // A duration before the deadline, because the deadline is unknown before the ledger exists.
      away: timeAroundArb(Instant.ofMicros(UP_TO_DEADLINE)),
    })
    .map(shaped);
}

interface Drawn {
  readonly profile: ProfileName;
  readonly holdings: number;
  readonly dust: number;
  readonly offers: number;
  readonly amounts: readonly Amount[];
  readonly away: Instant;
}

function shaped({ profile, holdings, dust: dustCount, offers: offerCount, amounts, away }: Drawn): ShapedLedger {
  const test = new TestLedger(openLedger({ profile }), []);
  for (const party of [alice, bob]) test.execute({ type: 'AllocateParty', party }, party);
  const dust = Array.from({ length: Math.min(dustCount, holdings) }, () => test.mint(alice, Amount.unit));
  if (dust.length > 0) waitForDust(test, dust);
  for (let i = dust.length; i < holdings; i++) test.mint(alice, amounts[i % amounts.length] ?? Amount.one);

  const opened = test.now;
  const deadline = Instant.plus(opened, UP_TO_DEADLINE);
  const offers = Array.from({ length: offerCount }, () => offer(test, deadline));
  const now = Instant.later(opened, Instant.plus(opened, Duration.ofMicros(away)));
  return { ledger: test.ledger, profile, owner: alice, sender: bob, dust, offers, deadline, now };
}

/** Profiles with config states skip many rounds at once, so under them the coins are dust immediately. */
function waitForDust(test: TestLedger, dust: readonly ContractId[]): void {
  if (settingsOf(test.state).profile.usesConfigStates) return;
  const judgedBy = (round: number): number =>
    [...dustExpiringAt(test.state, Round.of(round))].filter(({ id }) => dust.includes(id)).length;
  for (let round = 0; judgedBy((dustRoundOf(test.state) ?? 0) + 1) < dust.length; round++) {
    invariant(round < 10, 'a coin of 10⁻¹⁰ is dust within a few rounds');
    test.advanceToRound(test.round + 1);
  }
}

function offer(test: TestLedger, executeBefore: Instant): ContractId {
  const inputs = [test.mint(bob, '100')];
  const offered = { sender: bob, receiver: alice, amount: Amount.one, inputs, executeBefore };
  return test.execute({ type: 'CreateOffer', ...offered }, bob).detail.instruction;
}

function countArb(count: Count): fc.Arbitrary<number> {
  const [min, max] = typeof count === 'number' ? [count, count] : count;
  return fc.integer({ min, max });
}
