import {
  Amount,
  genesisConfig,
  PROFILE_NAMES,
  type Contract,
  type Holding,
  type Instant,
  type PartyId,
  type ProfileName,
  type Round,
  type Step,
  type Update,
  type UpdateOf,
} from '@coinlab/core';
import { findAny, openRoundsOf } from '@coinlab/core/views';
import { historyItemsOf, RoundBooks, type RoundAccount } from '@coinlab/core/histories';
import { happeningsOf } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';
import { Scene } from '../laws-scene.ts';
import { recordedSteps } from '../recorded.ts';

/* The books of the rounds against a recount of the recorded logs: one list of what happened, added up anew for every question. */

type Account = { -readonly [Key in keyof RoundAccount]: RoundAccount[Key] };
interface Entry {
  readonly round: Round;
  readonly party: PartyId;
  readonly done: Partial<Account>;
}

function booksOf(steps: readonly Step[]): RoundBooks {
  const books = new RoundBooks();
  for (const { update } of steps) books.add(update);
  return books;
}

/** When each round opened and was closed, by the contracts of the log. */
function roundsIn(steps: readonly Step[]) {
  const rounds = new Map<Round, { readonly opensAt: Instant; closedAt: Instant | null }>();
  for (const { created, recordTime } of steps.map(({ update }) => update)) {
    for (const contract of created) {
      if (contract.template === 'OpenMiningRound')
        rounds.set(contract.round, { opensAt: contract.opensAt, closedAt: null });
      const closed = contract.template === 'ClosedMiningRound' ? rounds.get(contract.round) : undefined;
      if (closed) closed.closedAt = recordTime;
    }
  }
  return rounds;
}

/** Events of the ledger: one entry for each coin, payment with rewards and purchase of traffic. */
function entriesIn(steps: readonly Step[]): readonly Entry[] {
  const opened: { readonly round: Round; readonly opensAt: Instant }[] = [];
  return steps.flatMap(({ before, update }) => {
    for (const contract of update.created) if (contract.template === 'OpenMiningRound') opened.push(contract);
    const usable = opened.filter(({ opensAt }) => opensAt <= update.recordTime);
    const round = (usable.at(-1) ?? opened[0])?.round;
    if (round === undefined) return [];
    const gone = update.archived.map((id) => findAny(before, id)).filter((each) => each?.template === 'Holding');
    const made = update.created.filter((each) => each.template === 'Holding');
    const coin =
      (sign: bigint) =>
      ({ owner: party, amount: units, createdAt, ratePerRound: rate }: Holding): Entry => ({
        round,
        party,
        done: {
          coin: Amount.ofUnits(sign * units),
          feeRate: Amount.ofUnits(sign * rate),
          coinAsOfRoundZero: Amount.ofUnits(sign * (units + rate * BigInt(createdAt))),
        },
      });
    const payers = new Set(made.concat(gone as typeof made).map(({ owner }) => owner));
    const rewarded = [...payers].flatMap((party) =>
      historyItemsOf(update, party).flatMap((item): readonly Entry[] => {
        if (item.type !== 'transfer' || item.sender.party !== party) return [];
        const { appRewardsUsed: appRewards, validatorRewardsUsed: validatorRewards } = item;
        return appRewards + validatorRewards > 0n ? [{ round, party, done: { appRewards, validatorRewards } }] : [];
      }),
    );
    const bought = happeningsOf(update).flatMap(({ detail }): readonly Entry[] => {
      if (!('trafficBytes' in detail && 'cost' in detail)) return [];
      const { payer: party, trafficBytes, cost: trafficCost } = detail;
      return [{ round, party, done: { trafficBytes, trafficCost, purchases: 1, lastPurchase: round } }];
    });
    return [...(gone as Holding[]).map(coin(-1n)), ...made.map(coin(1n)), ...rewarded, ...bought];
  });
}

function sumOf(entries: readonly Entry[]): RoundAccount {
  const total: Record<string, bigint | number | null> = {
    appRewards: 0n,
    validatorRewards: 0n,
    coin: 0n,
    coinAsOfRoundZero: 0n,
    feeRate: 0n,
    trafficBytes: 0,
    trafficCost: 0n,
    purchases: 0,
    lastPurchase: null,
  };
  for (const { done } of entries)
    for (const [field, value] of Object.entries(done))
      total[field] = field === 'lastPurchase' ? value : (total[field] as number) + (value as number);
  return total as unknown as RoundAccount;
}

const END = 1_000_000 as Round;
const FIRST = 0 as Round;

/** An update after which every round that was opened is closed. */
function allClosed(steps: readonly Step[]): Update {
  const last = steps.at(-1) as Step;
  const open = [...roundsIn(steps)].filter(([, { closedAt }]) => closedAt === null);
  const closed = open.map(([round]) => ({ template: 'ClosedMiningRound', round }) as Contract);
  return { ...last.update, kind: 'PartyAllocated', archived: [], created: closed } as Update;
}

function andAllClosed(profile: ProfileName): readonly Step[] {
  const steps = recordedSteps(profile);
  const { after } = steps.at(-1) as Step;
  return [...steps, { before: after, update: allClosed(steps), after }];
}

describe.each([
  ...PROFILE_NAMES.map((profile) => [`the recorded log of ${profile}`, profile, recordedSteps] as const),
  ...PROFILE_NAMES.map((profile) => [`that of ${profile} when all rounds are closed`, profile, andAllClosed] as const),
])('the round books of %s', (_, profile, log) => {
  const steps = log(profile);
  const rounds = roundsIn(steps);
  // Rounds close in any order; the books end before the first that is not closed.
  const gap = [...rounds].findIndex(([, { closedAt }]) => closedAt === null);
  const closed = [...rounds.keys()].slice(0, gap < 0 ? rounds.size : gap);
  const entries = entriesIn(steps);

  it('have the closed rounds with their times and fees', () => {
    const books = booksOf(steps);
    expect(closed.length).toBeGreaterThan(0);
    expect(books.closedRounds()).toEqual({ first: closed[0], last: closed.at(-1) });
    for (const [round, { closedAt }] of rounds) expect(books.closedAt(round)).toBe(closedAt);
    const price = steps[0] && openRoundsOf((steps.at(-1) as Step).after)[0];
    const { createFee } = genesisConfig(profile).transferConfigUsd;
    if (price) expect(books.feesOf(price.round)?.createFee).toBe(Amount.div(createFee, price.amuletPrice));
    expect(books.feesOf(END)).toBeNull();
    expect(books.closedAt(END)).toBeNull();
  });

  it('have the totals of each round, and the running totals up to its end', () => {
    const books = booksOf(steps);
    const told = closed.map((round) => ({
      round,
      closedAt: rounds.get(round)?.closedAt,
      inRound: sumOf(entries.filter((entry) => entry.round === round)),
      byEnd: sumOf(entries.filter((entry) => entry.round <= round)),
    }));
    expect(books.totals(FIRST, END)).toEqual(told);
    expect(books.totals(closed[1] ?? END, closed[1] ?? END)).toEqual(told.slice(1, 2));
    expect(told.some(({ byEnd }) => byEnd.trafficBytes > 0 && byEnd.purchases > 0)).toBe(true);
    expect(told.some(({ inRound }) => inRound.coin !== 0n)).toBe(true);
  });

  it('have the totals of each active party, by name', () => {
    const books = booksOf(steps);
    const told = closed.flatMap((round) => {
      const parties = new Set(entries.filter((entry) => entry.round === round).map(({ party }) => party));
      return [...parties].sort().map((party) => ({
        round,
        party,
        inRound: sumOf(entries.filter((entry) => entry.round === round && entry.party === party)),
        byEnd: sumOf(entries.filter((entry) => entry.round <= round && entry.party === party)),
      }));
    });
    expect(books.partyTotals(FIRST, END)).toEqual(told);
    const from = closed.at(-1) ?? END;
    expect(books.partyTotals(from, from)).toEqual(told.filter(({ round }) => round === from));
    const last = books.partiesBy(from);
    for (const { party, byEnd } of told.filter(({ round }) => round === from)) expect(last.get(party)).toEqual(byEnd);
  });
});

describe('the round books of a ledger without closed rounds', () => {
  it('are empty', () => {
    const steps = recordedSteps('feeless');
    const first = steps.findIndex(({ update }) => update.kind === 'RoundClosed');
    for (const until of [1, first]) {
      const books = booksOf(steps.slice(0, until));
      expect(books.closedRounds()).toBeNull();
      expect(books.totals(FIRST, END)).toEqual([]);
      expect(books.partyTotals(FIRST, END)).toEqual([]);
      expect(books.partiesBy(END).size).toBe(0);
    }
    expect(new RoundBooks().closedRounds()).toBeNull();
  });
});

describe('the rewards minted by a transfer', () => {
  const recorded = recordedSteps('feeless');

  it.each([
    ['of apps', Amount.of('3'), Amount.zero],
    ['of validators', Amount.zero, Amount.of('5')],
    ['of both', Amount.of('3'), Amount.of('5')],
    ['nothing', Amount.zero, Amount.zero],
  ])('are booked in its round for the party that minted them: %s', (_, appRewards, validatorRewards) => {
    const step = new Scene().collected();
    const { detail } = step.update as UpdateOf<'HoldingsMerged'>;
    const earned = {
      ...step.update,
      detail: { ...detail, rewards: { ...detail.rewards, appRewards, validatorRewards } },
    };
    const books = booksOf(recorded);
    const told = (): ReadonlyMap<PartyId, RoundAccount> => books.partiesBy(END);
    books.add({ ...earned, archived: [], created: [] } as Update);
    books.add(allClosed(recorded));
    const without = booksOf([...recorded, { ...step, update: allClosed(recorded) }]).partiesBy(END);
    expect(told().get(detail.sender)).toMatchObject({ appRewards, validatorRewards });
    expect([...told()].filter(([party]) => party !== detail.sender)).toEqual(
      [...without].filter(([party]) => party !== detail.sender),
    );
  });
});
