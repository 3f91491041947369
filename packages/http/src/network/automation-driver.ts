import {
  type Amount,
  Duration,
  Instant,
  type PartyId,
  settingsOf,
  type LedgerState,
  type Rejection,
  type Update,
} from '@coinlab/core';
import { habitsOf, missingForTopUp, runHabits, type Cadence, type Habit } from '@coinlab/automation';
import { hasCurrentRound } from '@coinlab/core/rules';
import { stakeholdersOf } from '@coinlab/core/contracts';
import type { Host } from '../host/host.js';
import { nextPoll, pollsOf } from './polls.js';
import { automationOf, type AutomatedServer } from './automation-settings.js';

export interface AutomationDriver {
  run(cadences: readonly Cadence[]): Promise<void>;
  /**
   * Runs automation at every poll in between, so that many short advances give the same ledger as one long one. With
   * zero or less, runs only the policies of every poll, once.
   */
  advance(by: Duration): Promise<void>;
  /**
   * Opens the rounds missed up to a time. Does nothing when a round is current at that time or the DSO's automation is
   * off.
   */
  catchUp(until: Instant): Promise<void>;
  readonly settings: AutomatedServer['config']['automation'];
  /** Replaces the settings, except the times of polls. */
  configure(settings: AutomatedServer['config']['automation']): void;
  stop(): void;
}

export interface AutomationOptions extends AutomatedServer {
  readonly host: Host;
  readonly onFault?: (habit: string, error: unknown) => void;
  readonly onLackingCoin?: (validator: PartyId, price: Amount) => void;
  readonly onRefused?: (habit: string, command: string, rejection: Rejection) => void;
}

/** Delay in machine milliseconds between an update and the run of the automation routines that concern it. */
const REACTION_MILLIS = 50;
const SHORTEST_POLL_MILLIS = 10;

/**
 * Runs the policies of the core at every poll, and shortly after an update for the wallets that it concerns. With a
 * manual clock they run only when the clock is advanced. Source: specification of the domain §8. Assumption: A-80
 * (reacting).
 */
export function driveAutomation(given: AutomationOptions): AutomationDriver {
  let options = given;
  const { host, config } = options;
  const { clock } = host;
  const { speed } = clock;
  const polls = pollsOf(config);
  let habitsFor = habitLister(options);
  /** Start of the polling schedule, so that the times of polls depend only on the settings. */
  const began = clock.now();
  let seen = host.ahead.offset;
  const timers: NodeJS.Timeout[] = [];
  const touched = new Set<PartyId>();
  let reaction: NodeJS.Timeout | null = null;
  let isStopped = false;

  const runNow = (cadences: readonly Cadence[], wallets: readonly PartyId[] | null, now = host.now()): void => {
    if (isStopped || host.standby !== null) return;
    runAll(options, () => habitsFor(wallets), cadences, now);
    if (cadences.includes('frequent')) warnOfLackingCoin(options, now);
    seen = host.ahead.offset;
  };
  const run = async (cadences: readonly Cadence[]): Promise<void> => {
    runNow(cadences, null);
    await host.settled();
  };

  const catchUp = async (until: Instant): Promise<void> => {
    if (!options.config.automation.dso || hasCurrentRound(host.ahead, until)) return;
    runNow(['frequent'], null, until);
    await host.settled();
  };

  const unsubscribe = host.onUpdate((update) => {
    if (speed === 0 || isStopped || host.standby !== null) return;
    addConcerned(update, settingsOf(host.state).dso, touched);
    reaction ??= setTimeout(() => {
      reaction = null;
      const wallets = [...touched];
      touched.clear();
      runNow(['frequent'], wallets);
    }, REACTION_MILLIS).unref();
  });

  for (const { period, cadences } of speed > 0 ? polls : []) {
    const millis = Math.max(SHORTEST_POLL_MILLIS, Math.min(Number(period) / 1000 / speed, 2 ** 31 - 1));
    timers.push(setInterval(() => runNow(cadences, null), millis).unref());
  }
  const moveTo = (time: bigint): void => {
    if (time > clock.now()) clock.advance(Duration.ofMicros(time - clock.now()));
  };

  return {
    run,
    async advance(by) {
      host.requireWriter();
      if (by <= 0n || seen !== host.ahead.offset) await run(['frequent']);
      const target = Instant.plus(clock.now(), by);
      for (let poll = nextPoll(polls, began, clock.now()); poll.at <= target; poll = nextPoll(polls, began, poll.at)) {
        moveTo(poll.at);
        await run(poll.cadences);
      }
      moveTo(target);
      // A poll period may be longer than a round.
      await catchUp(host.now());
    },
    catchUp,
    get settings() {
      return options.config.automation;
    },
    configure(automation) {
      options = { ...options, config: { ...options.config, automation } };
      habitsFor = habitLister(options);
    },
    stop() {
      isStopped = true;
      unsubscribe();
      for (const timer of timers) clearInterval(timer);
      if (reaction) clearTimeout(reaction);
    },
  };
}

/** Listing costs more than an idle poll, so the full list is cached until the ledger changes. `null` lists all wallets. */
function habitLister(options: AutomationOptions): (wallets: readonly PartyId[] | null) => readonly Habit[] {
  const { host } = options;
  let kept: { readonly of: LedgerState; readonly offset: number; readonly habits: readonly Habit[] } | null = null;
  return (wallets) => {
    const state = host.ahead;
    const list = (): readonly Habit[] => habitsOf(automationOf(options, state, wallets), state);
    if (wallets) return list();
    if (kept?.of !== state || kept.offset !== state.offset) kept = { of: state, offset: state.offset, habits: list() };
    return kept.habits;
  };
}

function runAll(
  options: AutomationOptions,
  list: () => readonly Habit[],
  cadences: readonly Cadence[],
  now: Instant,
): void {
  const { host, onFault = (): void => undefined, onRefused = (): void => undefined } = options;
  const driver = {
    get state() {
      return host.ahead;
    },
    submit: host.submitAhead.bind(host),
  };
  const attempt = (name: string, turn: () => void): void => {
    try {
      turn();
    } catch (error) {
      onFault(name, error);
    }
  };
  attempt('the list of habits', () => {
    for (const habit of list())
      attempt(habit.name, () => {
        const { refused } = runHabits(driver, [habit], now, cadences);
        if (refused.length === 0) return;
        // A habit retries a refused command as long as another one is accepted.
        const distinct = new Map(refused.map((one) => [`${one.task.command.type} ${one.rejection.code}`, one]));
        for (const { task, rejection } of distinct.values()) onRefused(habit.name, task.command.type, rejection);
      });
  });
}

function warnOfLackingCoin(options: AutomationOptions, now: Instant): void {
  const { host, onLackingCoin, config } = options;
  if (!onLackingCoin || !config.automation.topUp) return;
  for (const { validator, memberId, topUp } of automationOf(options, host.ahead, []).validators) {
    const missing = topUp ? missingForTopUp({ validator, member: { memberId }, config: topUp }, host.ahead, now) : null;
    if (missing !== null) onLackingCoin(validator, missing);
  }
}

function addConcerned({ created, actAs }: Update, dso: PartyId, touched: Set<PartyId>): void {
  for (const party of actAs) touched.add(party);
  for (const contract of created) for (const party of stakeholdersOf(contract, dso)) touched.add(party);
}
