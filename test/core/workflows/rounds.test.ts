import {
  Amount,
  Duration,
  emptyLedger,
  find,
  genesis,
  genesisConfig,
  Instant,
  Round,
  rulesOf,
  type Command,
  type Context,
  type Ledger,
  type LedgerOptions,
  type PartyId,
  type Rejection,
} from '@coinlab/core';
import { allOf, openRoundsOf } from '@coinlab/core/views';
import { newestUsableRound, registryRound } from '@coinlab/core/rules';
import { describe, expect, it } from 'vitest';
import { alice, amount, bob, dso, second, tickOf, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const advance = (price: string = '0.005'): Command => ({ type: 'AdvanceOpenRounds', amuletPrice: amount(price) });
const advanceConfig: Command = { type: 'AdvanceConfigStates' };

/** A ledger that is open and has no rounds. */
function unbootstrapped(options: LedgerOptions = {}): { ledger: Ledger; context: Context } {
  const [open] = genesis(options);
  const opened = emptyLedger().submit(open!.command, open!.context); // a genesis begins with OpenLedger
  if (!opened.ok) throw new Error('a ledger opens');
  return { ledger: opened.value.ledger, context: open!.context };
}

/** Number, opening and closing of the open rounds, times in seconds after the genesis. */
function timetable(world: World): readonly (readonly [number, number, number])[] {
  const seconds = (time: Instant): number => Number(time - second(0)) / 1e6;
  return openRoundsOf(world.state).map(({ round, opensAt, targetClosesAt }) => [
    round,
    seconds(opensAt),
    seconds(targetClosesAt),
  ]);
}

describe('bootstrapping the rounds', () => {
  it('opens three rounds, two of them usable', () => {
    const world = worldOf({ amuletPrice: amount('0.7') });
    expect(timetable(world)).toEqual([
      [0, 0, 600],
      [1, 0, 1200],
      [2, 600, 1800],
    ]);
    const rounds = openRoundsOf(world.state);
    expect(rounds.map(({ issuingFor }) => issuingFor)).toEqual([0, 600, 1200].map((s) => Duration.seconds(s)));
    for (const round of rounds) {
      expect(round).toMatchObject({
        amuletPrice: amount('0.7'),
        tickDuration: Duration.seconds(600),
        transferConfigUsd: genesisConfig('feeless').transferConfigUsd,
        issuanceConfig: genesisConfig('feeless').issuanceCurve[0]?.issuance,
      });
    }
    expect(newestUsableRound(world.state, second(0))?.round).toBe(1);
    expect(newestUsableRound(world.state, tickOf(second(600), -1))?.round).toBe(1);
    expect(newestUsableRound(world.state, second(600))?.round).toBe(2);
  });

  it('can start at a later round and give the first one more time', () => {
    const world = worldOf({ initialRound: Round.of(50), round0Duration: Duration.hours(24) });
    expect(timetable(world)).toEqual([
      [50, 0, 86_400],
      [51, 0, 87_000],
      [52, 86_400, 87_600],
    ]);
    expect(openRoundsOf(world.state).map(({ issuingFor }) => issuingFor)).toEqual(
      [50, 51, 52].map((round) => Duration.seconds(600 * round)),
    );
  });

  it('reads the issuance curve at the age of each round', () => {
    // Half a year is 26,280 ticks of ten minutes; the middle round is the first of the second segment.
    const world = worldOf({ initialRound: Round.of(26_279) });
    const curve = genesisConfig('feeless').issuanceCurve;
    expect(openRoundsOf(world.state).map(({ issuanceConfig }) => issuanceConfig)).toEqual([
      curve[0]?.issuance,
      curve[1]?.issuance,
      curve[1]?.issuance,
    ]);
  });

  it('creates two config states in the 24-hour profile, and none in the others', () => {
    const world = worldOf({ profile: 'feeless-24h', amuletPrice: amount('0.7'), initialRound: Round.of(9) });
    expect([...allOf(world.state, 'ExternalPartyConfigState')]).toMatchObject([
      { holdingFeesOpenRound: 9, amuletPrice: amount('0.7'), targetArchiveAfter: second(86_400) },
      { holdingFeesOpenRound: 9, amuletPrice: amount('0.7'), targetArchiveAfter: second(172_800) },
    ]);
    for (const profile of ['legacy-fees', 'feeless'] as const)
      expect([...allOf(worldOf({ profile }).state, 'ExternalPartyConfigState')]).toEqual([]);
  });

  interface Plan {
    readonly bootstrapped: boolean;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly price: string;
    readonly round0Duration: Duration;
    readonly initialRound: Round;
  }
  precedence<Plan>(
    {
      bootstrapped: false,
      at: second(0),
      actAs: [dso],
      price: '1',
      round0Duration: Duration.seconds(600),
      initialRound: Round.of(0),
    },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [alice] }],
      ['ALREADY_EXISTS', { bootstrapped: true }],
      ['NON_POSITIVE_AMOUNT', { price: '0' }],
      ['INVALID_ARGUMENT', { round0Duration: Duration.ofMicros(599_999_999n) }, 'shorter than a tick'],
      ['INVALID_ARGUMENT', { initialRound: Round.of(Number.MAX_SAFE_INTEGER) }, 'a round no network reaches'],
    ],
    (code, { bootstrapped, at, actAs, price, round0Duration, initialRound }) => {
      const ledger = bootstrapped ? worldOf().ledger : unbootstrapped().ledger;
      const command: Command = { type: 'BootstrapRounds', amuletPrice: amount(price), round0Duration, initialRound };
      expect(ledger.check(command, { now: at, actAs })?.code).toBe(code);
    },
  );
});

describe('advancing the open rounds', () => {
  it('after a shortening of the tick can open a round that closes before an older one, and satisfies all ledger laws', () => {
    const world = worldOf();
    const { config } = rulesOf(world.state)!; // a ledger that is open has rules
    const newConfig = { ...config, tickDuration: Duration.seconds(300) };
    const action = { type: 'SetAmuletConfig', baseConfig: config, newConfig } as const;
    world.submit({ type: 'ExecuteAction', action }, dso);
    world.wait(600);
    world.submit(advance(), dso);
    expect(timetable(world)).toEqual([
      [1, 0, 1200],
      [2, 600, 1800],
      [3, 900, 1500],
    ]);
  });

  it('follows the timeline of the specification', () => {
    const world = worldOf();
    expect(world.refused('DEADLINE_NOT_REACHED', advance(), dso).deadline).toEqual(second(600));
    world.at(tickOf(second(600), -1)).refused('DEADLINE_NOT_REACHED', advance(), dso);
    const first = world.at(second(600)).accepted('RoundsAdvanced', advance(), dso);
    expect(first.detail).toMatchObject({ closedRound: 0, openedRound: 3 });
    expect(timetable(world)).toEqual([
      [1, 0, 1200],
      [2, 600, 1800],
      [3, 1200, 2400],
    ]);
    world.refused('DEADLINE_NOT_REACHED', advance(), dso);
    world.at(tickOf(second(1200), -1)).refused('DEADLINE_NOT_REACHED', advance(), dso);
    world.at(second(1200)).submit(advance(), dso);
    expect(timetable(world)).toEqual([
      [2, 600, 1800],
      [3, 1200, 2400],
      [4, 1800, 3000],
    ]);
  });

  it('archives the oldest round into a summarizing round with its price and figures', () => {
    const world = worldOf({ amuletPrice: amount('0.2') });
    const [oldest] = openRoundsOf(world.state);
    world.at(second(600));
    const { archived, created } = world.accepted('RoundsAdvanced', advance('0.3'), dso);
    expect(archived).toEqual([oldest?.id]);
    expect(created).toMatchObject([
      {
        template: 'SummarizingMiningRound',
        round: 0,
        amuletPrice: amount('0.2'),
        issuanceConfig: oldest?.issuanceConfig,
        tickDuration: Duration.seconds(600),
      },
      {
        template: 'OpenMiningRound',
        round: 3,
        amuletPrice: amount('0.3'),
        issuingFor: Duration.seconds(1800),
        tickDuration: Duration.seconds(600),
      },
    ]);
    // Rounds that are open keep their price.
    expect(openRoundsOf(world.state).map(({ amuletPrice }) => Amount.short(amuletPrice))).toEqual([
      '0.2',
      '0.2',
      '0.3',
    ]);
  });

  it('after a delay moves the next rounds to later times instead of catching up', () => {
    const world = worldOf();
    world.at(second(5000)).submit(advance(), dso);
    expect(timetable(world)).toEqual([
      [1, 0, 1200],
      [2, 600, 1800],
      [3, 5600, 6200 + 600],
    ]);
    world.refused('DEADLINE_NOT_REACHED', advance(), dso);
    expect(world.refused('DEADLINE_NOT_REACHED', advance(), dso).deadline).toEqual(second(5600));
  });

  it.each([
    ['the oldest has not yet reached its end', { round0Duration: Duration.seconds(1800) }, 0, second(1800)],
    ['the newest has not yet opened', {}, 1, second(1200)],
  ] as const)('is refused while %s', (_, options, advances, earliest) => {
    const world = worldOf(options);
    world.advanceRounds(advances);
    const refusal = world.refused('DEADLINE_NOT_REACHED', advance(), dso);
    expect(refusal).toMatchObject({ deadline: earliest, at: world.now });
    world.at(tickOf(earliest, -1)).refused('DEADLINE_NOT_REACHED', advance(), dso);
    world.at(earliest).submit(advance(), dso);
  });

  it('succeeds from one tick after the opening of the middle round', () => {
    // A newest round that was opened by hand before its time: only the middle one still holds the advance back.
    const world = worldOf({ round0Duration: Duration.seconds(1200) });
    const rounds = openRoundsOf(world.state);
    for (const round of rounds) world.take(round.id);
    rounds.forEach(({ id: _id, ...round }, i) => {
      const opensAt = i === 1 ? second(900) : round.opensAt;
      world.put({ ...round, opensAt, targetClosesAt: i === 0 ? second(600) : round.targetClosesAt });
    });
    expect(world.at(second(1200)).refused('DEADLINE_NOT_REACHED', advance(), dso).deadline).toEqual(second(1500));
  });

  interface Plan {
    readonly bootstrapped: boolean;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
    readonly price: string;
  }
  precedence<Plan>(
    { bootstrapped: true, at: second(600), actAs: [dso], price: '1' },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [alice, bob] }],
      ['NOT_BOOTSTRAPPED', { bootstrapped: false }],
      ['NON_POSITIVE_AMOUNT', { price: '-1' }],
      ['DEADLINE_NOT_REACHED', { at: second(599) }],
    ],
    (code, { bootstrapped, at, actAs, price }) => {
      const ledger = bootstrapped ? worldOf().ledger : unbootstrapped().ledger;
      expect(ledger.check(advance(price), { now: at, actAs })?.code).toBe(code);
    },
  );
});

describe('advancing the config states of the 24-hour profile', () => {
  const states = (world: World) => [...allOf(world.state, 'ExternalPartyConfigState')];

  it('replaces the older state by one with the oldest open round and the newest usable price, valid for two ticks', () => {
    const world = worldOf({ profile: 'feeless-24h', amuletPrice: amount('0.2') });
    world.advanceRounds(10, '0.4');
    const [older, younger] = states(world);
    world.at(tickOf(second(86_400), -1)).refused('DEADLINE_NOT_REACHED', advanceConfig, dso);
    world.at(second(86_500));
    const { archived, detail } = world.accepted('ConfigStatesAdvanced', advanceConfig, dso);
    expect(archived).toEqual([older?.id]);
    expect(detail.holdingFeesOpenRound).toBe(10);
    expect(states(world)).toMatchObject([
      { id: younger?.id },
      {
        holdingFeesOpenRound: 10,
        amuletPrice: amount('0.4'),
        targetArchiveAfter: second(86_500 + 172_800),
        transferConfigUsd: genesisConfig('feeless-24h').transferConfigUsd,
      },
    ]);
    expect(world.refused('DEADLINE_NOT_REACHED', advanceConfig, dso).deadline).toEqual(second(172_800));
    world.at(second(172_800)).submit(advanceConfig, dso);
    expect(find(world.state, 'ExternalPartyConfigState', younger!.id)).toBeNull();
    expect(states(world)).toHaveLength(2);
  });

  it('archives the config state that ends first, for any order of creation', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    const [older, younger] = states(world);
    if (!older || !younger) throw new Error('a network of that profile has two config states');
    world.take(older.id);
    const { id: _, ...fields } = older;
    const late = world.put(fields);
    world.at(second(86_400));
    expect(world.accepted('ConfigStatesAdvanced', advanceConfig, dso).archived).toEqual([late]);
  });

  it('stamps registry coins with the newest state’s round, wallet coins with the newest usable round', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    world.advanceRounds(10);
    const coin = world.fund(alice, '8');
    expect(world.holdings(alice)[0]?.createdAt).toBe(11);
    world.submit({ type: 'SelfTransfer', sender: alice, amount: amount('8'), inputs: [coin] }, alice);
    expect(world.holdings(alice)[0]?.createdAt).toBe(0);
    world.at(second(86_400)).submit(advanceConfig, dso);
    world.submit(
      { type: 'SelfTransfer', sender: alice, amount: amount('8'), inputs: [world.holdings(alice)[0]!.id] },
      alice,
    );
    expect(world.holdings(alice)[0]?.createdAt).toBe(10);
  });

  it('keep their round while the open round of transfers changes', () => {
    const world = worldOf({ profile: 'feeless-24h' });
    const roundsNow = () => {
      const found = registryRound(world.state, world.now);
      return found.ok ? { round: found.value.round, open: found.value.open.round } : found.error;
    };
    expect(roundsNow()).toEqual({ round: 0, open: 1 });
    world.advanceRounds(1);
    expect(roundsNow()).toEqual({ round: 0, open: 2 });
  });

  interface Plan {
    readonly options: LedgerOptions;
    readonly bootstrapped: boolean;
    readonly at: Instant;
    readonly actAs: readonly PartyId[];
  }
  precedence<Plan>(
    { options: { profile: 'feeless-24h' }, bootstrapped: true, at: second(86_400), actAs: [dso] },
    [
      ['TIME_IN_PAST', { at: second(-1) }],
      ['NOT_AUTHORISED', { actAs: [alice] }],
      ['NOT_BOOTSTRAPPED', { bootstrapped: false }, 'before bootstrap'],
      ['NOT_BOOTSTRAPPED', { options: { profile: 'feeless' } }, 'a profile without config states'],
      ['DEADLINE_NOT_REACHED', { at: second(86_399) }],
    ],
    (code, { options, bootstrapped, at, actAs }) => {
      const ledger = bootstrapped ? worldOf(options).ledger : unbootstrapped(options).ledger;
      expect(ledger.check(advanceConfig, { now: at, actAs })?.code).toBe(code);
    },
  );
});

describe('near the latest possible time', () => {
  it('an advance is refused instead of opening a round with the same times as the one before', () => {
    const world = worldOf({ at: Instant.of('9999-12-31T23:00:00Z') });
    const refusals: Rejection[] = [];
    world.at(Instant.latest);
    for (let i = 0; i < 5; i++) {
      const refusal = world.ledger.check(advance(), { now: world.now, actAs: [dso] });
      if (refusal) refusals.push(refusal);
      else world.submit(advance(), dso);
    }
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'INVALID_ARGUMENT'));
  });

  it('bootstrapping is refused when a round would close after the latest time', () => {
    const end = Instant.latest - Duration.seconds(1800);
    const check = (micros: bigint) => {
      const { ledger } = unbootstrapped({ at: Instant.ofMicros(micros) });
      const command = { type: 'BootstrapRounds', amuletPrice: Amount.one } as const;
      return ledger.check(command, { now: Instant.ofMicros(micros), actAs: [dso] });
    };
    expect(check(end)).toBeNull();
    expect(check(end + 1n)).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'now' });
  });
});
