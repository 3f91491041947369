import type { AmuletRules } from '../contracts/amulet-rules.js';
import { Effects } from '../contracts/effects.js';
import type { ExternalPartyConfigState, OpenMiningRound } from '../contracts/rounds.js';
import { allOf, openRoundsOf, rulesOf, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import { amount, duration, optional, record, round } from '../kernel/shape.js';
import { Duration, Instant, Round } from '../kernel/time.js';
import { issuanceAt } from '../rules/rewards/curve.js';
import { nextAmuletPrice } from '../rules/governance/median.js';
import { earliestAdvance, newestUsableRound } from '../rules/rounds.js';
import { byDso, byDsoOrSv } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { invalid, refuseUnlessActing, refuseUnlessRoutine, refuseUntil } from '../rules/refusals.js';

/** Open mining rounds: three are bootstrapped, then each advance archives the oldest and creates the next. Source: specification §6.1 to §6.3, §3.5. */
type RoundCommand = BootstrapRounds | AdvanceOpenRounds | AdvanceConfigStates;

/** Creates the first three open rounds. Acts as the DSO. */
interface BootstrapRounds {
  readonly type: 'BootstrapRounds';
  readonly amuletPrice: Amount;
  /** Duration of the first round, at least a tick; default: a tick. */
  readonly round0Duration?: Duration;
  /** Number of the first round; default: 0. */
  readonly initialRound?: Round;
}

/** Archives the oldest open round and creates the next. Acts as the DSO or any super validator. */
interface AdvanceOpenRounds {
  readonly type: 'AdvanceOpenRounds';
  /** Price of the new round in USD per coin: the median of the votes. The DSO itself may set another. */
  readonly amuletPrice: Amount;
}

/** Replaces the older of the two config states (profile feeless-24h). Acts as the DSO or any super validator. */
interface AdvanceConfigStates {
  readonly type: 'AdvanceConfigStates';
}

interface RoundDetails {
  readonly RoundsBootstrapped: ValueDetail & { readonly firstRound: Round };
  readonly RoundsAdvanced: ValueDetail & {
    readonly closedRound: Round;
    readonly openedRound: Round;
    readonly amuletPrice: Amount;
  };
  readonly ConfigStatesAdvanced: ValueDetail & { readonly holdingFeesOpenRound: Round };
}

const outcomes = {
  BootstrapRounds: {
    becomes: ['RoundsBootstrapped'],
    refusals: ['NOT_AUTHORISED', 'NOT_BOOTSTRAPPED', 'ALREADY_EXISTS', 'NON_POSITIVE_AMOUNT', 'INVALID_ARGUMENT'],
  },
  AdvanceOpenRounds: {
    becomes: ['RoundsAdvanced'],
    refusals: ['NOT_AUTHORISED', 'NOT_BOOTSTRAPPED', 'NON_POSITIVE_AMOUNT', 'INVALID_ARGUMENT', 'DEADLINE_NOT_REACHED'],
    source: '§6.3, §3.19',
  },
  AdvanceConfigStates: {
    becomes: ['ConfigStatesAdvanced'],
    refusals: ['NOT_AUTHORISED', 'NOT_BOOTSTRAPPED', 'DEADLINE_NOT_REACHED'],
    source: '§3.5',
  },
} as const;

export const rounds: Workflow<RoundCommand, RoundDetails, typeof outcomes> = {
  commands: {
    BootstrapRounds: shapeOf<BootstrapRounds>({
      amuletPrice: amount,
      round0Duration: optional(duration),
      initialRound: optional(round),
    }),
    AdvanceOpenRounds: shapeOf<AdvanceOpenRounds>({ amuletPrice: amount }),
    AdvanceConfigStates: record<object>({}),
  },
  outcomes,
  source: '§6.1',
  updates: {
    RoundsBootstrapped: unrecorded(detailShape<RoundDetails['RoundsBootstrapped']>({ firstRound: round }), byDso, null),
    RoundsAdvanced: unrecorded(
      detailShape<RoundDetails['RoundsAdvanced']>({ closedRound: round, openedRound: round, amuletPrice: amount }),
      byDsoOrSv,
      null,
    ),
    ConfigStatesAdvanced: unrecorded(
      detailShape<RoundDetails['ConfigStatesAdvanced']>({ holdingFeesOpenRound: round }),
      byDsoOrSv,
      null,
    ),
  },
  decide,
};

function decide(command: RoundCommand, state: LedgerState, context: Context): Decision<RoundDetails> {
  const unauthorised =
    command.type === 'BootstrapRounds'
      ? refuseUnlessActing(context, settingsOf(state).dso)
      : refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const rules = rulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  switch (command.type) {
    case 'BootstrapRounds':
      return bootstrap(command, rules, state, context);
    case 'AdvanceOpenRounds':
      return advance(command, rules, state, context);
    case 'AdvanceConfigStates':
      return advanceConfigStates(rules, state, context);
  }
}

function bootstrap(
  command: BootstrapRounds,
  rules: AmuletRules,
  state: LedgerState,
  { now }: Context,
): Decision<RoundDetails> {
  const tick = rules.config.tickDuration;
  const { amuletPrice, round0Duration = tick, initialRound = Round.of(0) } = command;
  const open = openRoundsOf(state)[0];
  if (open) return err({ code: 'ALREADY_EXISTS', what: 'open mining rounds', contract: open.id });
  if (amuletPrice <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: 'amuletPrice', amount: amuletPrice });
  if (round0Duration < tick) {
    return err(invalid('round0Duration', Duration.format(round0Duration), `at least the tick of ${tick} µs`));
  }
  const endless = refuseEndOfTime(now, Duration.ofMicros(round0Duration + 2n * tick)) ?? refuseAge(initialRound, tick);
  if (endless) return err(endless);
  const effects = new Effects(state);
  const create = (index: number, opensAt: Instant, targetClosesAt: Instant): OpenMiningRound =>
    createOpenRound(effects, rules, {
      round: Round.plus(initialRound, index),
      amuletPrice,
      opensAt,
      targetClosesAt,
      issuingFor: Duration.times(tick, initialRound + index),
    });
  const first = Instant.plus(now, round0Duration);
  const second = Instant.plus(first, tick);
  create(0, now, first);
  create(1, now, second);
  create(2, first, Instant.plus(second, tick));
  if (settingsOf(state).profile.usesConfigStates) {
    const lifetime = rules.config.externalPartyConfigStateTickDuration;
    for (const ticks of [1, 2]) {
      createConfigState(effects, rules, amuletPrice, initialRound, Instant.plus(now, Duration.times(lifetime, ticks)));
    }
  }
  return ok(effects.outcome('RoundsBootstrapped', { firstRound: initialRound }));
}

/** Assumption: A-69 (choice of the price). */
function advance(
  { amuletPrice }: AdvanceOpenRounds,
  rules: AmuletRules,
  state: LedgerState,
  { now, actAs }: Context,
): Decision<RoundDetails> {
  const [oldest, , newest] = openRoundsOf(state);
  const earliest = earliestAdvance(state);
  if (!oldest || !newest || earliest === null) return err({ code: 'NOT_BOOTSTRAPPED' });
  if (amuletPrice <= 0n) return err({ code: 'NON_POSITIVE_AMOUNT', field: 'amuletPrice', amount: amuletPrice });
  const median = nextAmuletPrice(state);
  if (median !== null && amuletPrice !== median && !actAs.includes(settingsOf(state).dso)) {
    const expected = `the median of the votes, ${Amount.format(median)}`;
    return err(invalid('amuletPrice', Amount.format(amuletPrice), expected));
  }
  const tick = rules.config.tickDuration;
  const opening = Instant.later(now, newest.opensAt);
  const refused = refuseEndOfTime(opening, Duration.times(tick, 3)) ?? refuseUntil(earliest, now);
  if (refused) return err(refused);

  const effects = new Effects(state);
  effects.archive(oldest);
  const { round: closedRound, amuletPrice: closedPrice, issuanceConfig, tickDuration } = oldest;
  effects.create('SummarizingMiningRound', {
    round: closedRound,
    amuletPrice: closedPrice,
    issuanceConfig,
    tickDuration,
  });
  const opensAt = Instant.plus(opening, tick);
  const opened = createOpenRound(effects, rules, {
    round: Round.plus(newest.round, 1),
    amuletPrice,
    opensAt,
    targetClosesAt: Instant.plus(opensAt, Duration.times(tick, 2)),
    issuingFor: Duration.ofMicros(newest.issuingFor + newest.tickDuration),
  });
  return ok(effects.outcome('RoundsAdvanced', { closedRound, openedRound: opened.round, amuletPrice }));
}

/** Refuses rounds that would end after the latest time: their times would be equal. Assumption: A-77. */
function refuseEndOfTime(from: Instant, span: Duration): Rejected<'INVALID_ARGUMENT'> | null {
  if (from + span <= Instant.latest) return null;
  return invalid('now', Instant.format(from), `a time at least ${span} µs before ${Instant.format(Instant.latest)}`);
}

/** The network's age grows with every round and must not exceed the longest duration. */
function refuseAge(initialRound: Round, tick: Duration): Rejected<'INVALID_ARGUMENT'> | null {
  // Half of the longest duration: ledger time lasts less than the other half.
  const latest = Duration.longest / 2n / tick;
  if (BigInt(initialRound) + 2n <= latest && initialRound <= Number.MAX_SAFE_INTEGER / 2) return null;
  return invalid(
    'initialRound',
    String(initialRound),
    `a round at which the network is at most ${Duration.longest / 2n} µs old`,
  );
}

function advanceConfigStates(rules: AmuletRules, state: LedgerState, { now }: Context): Decision<RoundDetails> {
  const older = [...allOf(state, 'ExternalPartyConfigState')].sort((a, b) =>
    a.targetArchiveAfter < b.targetArchiveAfter ? -1 : 1,
  )[0];
  const oldestOpen = openRoundsOf(state)[0];
  const usable = newestUsableRound(state, now);
  if (!older || !oldestOpen || !usable) return err({ code: 'NOT_BOOTSTRAPPED' });
  if (now < older.targetArchiveAfter)
    return err({ code: 'DEADLINE_NOT_REACHED', deadline: older.targetArchiveAfter, at: now });
  const effects = new Effects(state);
  effects.archive(older);
  const lifetime = Duration.times(rules.config.externalPartyConfigStateTickDuration, 2);
  const made = createConfigState(
    effects,
    rules,
    usable.amuletPrice,
    oldestOpen.round,
    Instant.plus(now, lifetime),
    usable,
  );
  return ok(effects.outcome('ConfigStatesAdvanced', { holdingFeesOpenRound: made.holdingFeesOpenRound }));
}

function createOpenRound(
  effects: Effects,
  { config }: AmuletRules,
  times: Pick<OpenMiningRound, 'round' | 'amuletPrice' | 'opensAt' | 'targetClosesAt' | 'issuingFor'>,
): OpenMiningRound {
  const { round: number, amuletPrice, opensAt, targetClosesAt, issuingFor } = times;
  return effects.create('OpenMiningRound', {
    round: number,
    amuletPrice,
    opensAt,
    targetClosesAt,
    issuingFor,
    transferConfigUsd: config.transferConfigUsd,
    issuanceConfig: issuanceAt(config.issuanceCurve, issuingFor),
    tickDuration: config.tickDuration,
  });
}

function createConfigState(
  effects: Effects,
  rules: AmuletRules,
  amuletPrice: Amount,
  holdingFeesOpenRound: Round,
  targetArchiveAfter: Instant,
  from: Pick<OpenMiningRound, 'transferConfigUsd'> = rules.config,
): ExternalPartyConfigState {
  return effects.create('ExternalPartyConfigState', {
    holdingFeesOpenRound,
    amuletPrice,
    transferConfigUsd: from.transferConfigUsd,
    targetArchiveAfter,
  });
}
