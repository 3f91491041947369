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

/** A number, or the least and the most of several. */
export type Count = number | readonly [least: number, most: number];

/** What a drawn ledger is to look like; whatever is left out is none of it, or any. */
export interface LedgerShape {
  /** Left out: any of the three. */
  readonly profile?: ProfileName;
  /** Unlocked coins of the owner, those that are about to be dust among them. Left out: 99 to 102, around the limit of inputs. */
  readonly holdings?: Count;
  /** What the coins are worth. Left out: every kind of amount up to 10¹² coin. */
  readonly amounts?: fc.Arbitrary<Amount>;
  /** Coins of the owner that are not dust yet, but will be as soon as the ledger judges dust by the next round. */
  readonly dustAboutToExpire?: Count;
  /** Offers to the owner, pending, that all end at one deadline. */
  readonly offersAtDeadline?: Count;
}

/** A ledger in a given shape, with what is special about it. */
export interface ShapedLedger {
  readonly ledger: Ledger;
  readonly profile: ProfileName;
  /** Who has the coins and is offered others. */
  readonly owner: PartyId;
  /** Who made the offers. */
  readonly sender: PartyId;
  readonly dust: readonly ContractId[];
  readonly offers: readonly ContractId[];
  /** When the offers end; two hours after the ledger's time. */
  readonly deadline: Instant;
  /** A time to do something at: before, at or after the deadline, never before the ledger's time. */
  readonly now: Instant;
}

const [alice, bob] = people;
const UP_TO_DEADLINE = Duration.hours(2);
const MOST: Amount = Amount.ofWhole(10n ** 12n);

/**
 * Whole ledgers in a given shape, each made by commands that the ledger accepted. They shrink to the least counts and plain amounts.
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
      // A few are given to the coins in turn: a hundred of them would shrink for ever.
      amounts: fc.array(amounts, { minLength: 1, maxLength: 4 }),
      // The deadline is known only once the ledger is: drawn as a distance from it.
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

/** Advances rounds until the coins would be dust one round later; with config states, which leap over many rounds, they are so at once. */
function waitForDust(test: TestLedger, dust: readonly ContractId[]): void {
  if (settingsOf(test.state).profile.usesConfigStates) return;
  const judgedBy = (round: number): number =>
    [...dustExpiringAt(test.state, Round.of(round))].filter(({ id }) => dust.includes(id)).length;
  for (let round = 0; judgedBy((dustRoundOf(test.state) ?? 0) + 1) < dust.length; round++) {
    invariant(round < 10, 'a coin of 10⁻¹⁰ is dust within a few rounds');
    test.advanceToRound(test.round + 1);
  }
}

/** An offer of one coin; in the profile with fees the coin that pays for it is larger. */
function offer(test: TestLedger, executeBefore: Instant): ContractId {
  const inputs = [test.mint(bob, '100')];
  const offered = { sender: bob, receiver: alice, amount: Amount.one, inputs, executeBefore };
  return test.execute({ type: 'CreateOffer', ...offered }, bob).detail.instruction;
}

function countArb(count: Count): fc.Arbitrary<number> {
  const [min, max] = typeof count === 'number' ? [count, count] : count;
  return fc.integer({ min, max });
}
