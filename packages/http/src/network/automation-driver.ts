import {
  Amount,
  Duration,
  Instant,
  PartyId,
  settingsOf,
  type LedgerState,
  type Rejection,
  type Update,
} from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import {
  DSO_DEFAULTS,
  habitsOf,
  MERGE_DEFAULTS,
  PREAPPROVAL_DEFAULTS,
  runHabits,
  type AutomationConfig,
  type Cadence,
  type Habit,
  type ValidatorAutomation,
} from '@coinlab/core/automation';
import { dsoRulesOf, hasCurrentRound } from '@coinlab/core/rules';
import { stakeholdersOf } from '@coinlab/core/contracts';
import type { ServerConfig } from '../config.js';
import type { Host } from '../host/host.js';
import { nextPoll, pollsOf } from './polls.js';
import { installOf, type ValidatorIdentity } from '../host/hosted-parties.js';

/** What lets the habits of a network have their turn. */
export interface AutomationDriver {
  /** All habits of some paces have their turn now; resolves once what they did is in the log. */
  run(cadences: readonly Cadence[]): Promise<void>;
  /**
   * Moves the clock on by hand and runs the habits at every poll on the way, so that many short advances lead to the same ledger as
   * one long one. Habits react first to what happened since their last turn. Zero or less: the frequent habits have a turn now.
   */
  advance(by: Duration): Promise<void>;
  /** No more turns. */
  stop(): void;
}

/** Whose automation it is, and who is told of what went wrong. */
export interface AutomationOptions extends ValidatorIdentity {
  readonly host: Host;
  readonly config: ServerConfig;
  /** Told of every fault of a habit; the others go on. */
  readonly onFault?: (habit: string, error: unknown) => void;
  /** Told of a command of a habit that the ledger refused, once a turn. */
  readonly onRefused?: (habit: string, command: string, rejection: Rejection) => void;
}

/** How long after an update, in milliseconds of the machine, the habits of those it concerns look. */
const REACTION_MILLIS = 50;
const SHORTEST_POLL_MILLIS = 10;

/**
 * Drives the policies of the core on the server's clock: every poll, and soon after an update for the wallets that it concerns.
 * With a manual clock they have their turn only when time is moved on.
 * Source: specification of the domain §8. Assumption: A-80 (reacting).
 */
export function driveAutomation(options: AutomationOptions): AutomationDriver {
  const { host, config } = options;
  const { clock } = host;
  const { speed } = clock;
  const polls = pollsOf(config);
  const habitsFor = habitLister(options);
  /** Polls are counted from here, so that the moments of all polls follow from the settings alone. */
  const began = clock.now();
  /** Offset after the last turn. */
  let seen = host.ahead.offset;
  const timers: NodeJS.Timeout[] = [];
  const touched = new Set<PartyId>();
  let reaction: NodeJS.Timeout | null = null;
  let isStopped = false;

  const take = (cadences: readonly Cadence[], wallets: readonly PartyId[] | null): void => {
    if (isStopped) return;
    takeTurns(options, () => habitsFor(wallets), cadences);
    seen = host.ahead.offset;
  };
  const run = async (cadences: readonly Cadence[]): Promise<void> => {
    take(cadences, null);
    await host.settled();
  };

  const unsubscribe = host.onUpdate((update) => {
    if (speed === 0 || isStopped) return;
    addConcerned(update, settingsOf(host.state).dso, touched);
    reaction ??= setTimeout(() => {
      reaction = null;
      const wallets = [...touched];
      touched.clear();
      take(['frequent'], wallets);
    }, REACTION_MILLIS).unref();
  });

  for (const { period, cadences } of speed > 0 ? polls : []) {
    const millis = Math.max(SHORTEST_POLL_MILLIS, Math.min(Number(period) / 1000 / speed, 2 ** 31 - 1));
    timers.push(setInterval(() => take(cadences, null), millis).unref());
  }
  const moveTo = (time: bigint): void => {
    if (time > clock.now()) clock.advance(Duration.ofMicros(time - clock.now()));
  };

  return {
    run,
    async advance(by) {
      if (by <= 0n || seen !== host.ahead.offset) await run(['frequent']);
      const target = Instant.plus(clock.now(), by);
      for (let poll = nextPoll(polls, began, clock.now()); poll.at <= target; poll = nextPoll(polls, began, poll.at)) {
        moveTo(poll.at);
        await run(poll.cadences);
      }
      moveTo(target);
      // Polls may be further apart than rounds.
      if (config.automation.dso && !hasCurrentRound(host.ahead, host.now())) await run(['frequent']);
    },
    stop() {
      isStopped = true;
      unsubscribe();
      for (const timer of timers) clearInterval(timer);
      if (reaction) clearTimeout(reaction);
    },
  };
}

/**
 * Lists the habits of a server. Listing costs more than a poll that finds nothing to do, so the list of all habits is kept until the
 * ledger changes.
 * @returns the habits of the network, the validator and some wallets; null: all wallets
 */
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

function takeTurns(options: AutomationOptions, list: () => readonly Habit[], cadences: readonly Cadence[]): void {
  const { host, onFault = (): void => undefined, onRefused = (): void => undefined } = options;
  const now = host.now();
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
        // What is refused is asked for again while anything else is accepted.
        const told = new Map(refused.map((one) => [`${one.task.command.type} ${one.rejection.code}`, one]));
        for (const { task, rejection } of told.values()) onRefused(habit.name, task.command.type, rejection);
      });
  });
}

/** Adds the parties that an update concerns. */
function addConcerned({ created, actAs }: Update, dso: PartyId, touched: Set<PartyId>): void {
  for (const party of actAs) touched.add(party);
  for (const contract of created) for (const party of stakeholdersOf(contract, dso)) touched.add(party);
}

/** The settings of a server as the core takes them; users that are named and not there yet are left out. */
function automationOf(
  { config: { automation, walletOffers }, validator, participantId }: AutomationOptions,
  state: LedgerState,
  wallets: readonly PartyId[] | null,
): AutomationConfig {
  const partyOf = (named: string): PartyId | null => {
    const party = PartyId.parse(named);
    return party.ok ? party.value : (installOf(state, validator, named)?.endUser ?? null);
  };
  const isHere = (party: PartyId): boolean => party === validator || hasWallet(state, validator, party);
  const { topUp } = automation;
  const own: ValidatorAutomation = {
    validator,
    memberId: participantId,
    wallets: wallets?.filter(isHere) ?? null,
    recordsLiveness: automation.rewards,
    collectsRewards: automation.rewards,
    completesOffers: true,
    mintsByDelegation: automation.mintingDelegations,
    sendsTransferCommands: true,
    renewsNames: true,
    topUp: topUp
      ? {
          targetThroughput: topUp.targetThroughput,
          minTopupInterval: Duration.seconds(topUp.minTopupIntervalSeconds),
          pollingInterval: Duration.seconds(automation.pollSeconds),
          tap: topUp.tapsAlways ? 'always' : 'when-lacking',
        }
      : null,
    preapprovals: automation.preapprovals ? PREAPPROVAL_DEFAULTS : null,
    sweeps: Object.fromEntries(
      automation.sweeps.flatMap(({ sender, receiver, maxBalanceUSD, minBalanceUSD, useTransferPreapproval }) => {
        const [from, to] = [partyOf(sender), partyOf(receiver)];
        if (!from || !to) return [];
        const limits = { maxBalanceUSD: Amount.of(maxBalanceUSD), minBalanceUSD: Amount.of(minBalanceUSD) };
        return [[from, { receiver: to, useTransferPreapproval, ...limits }]];
      }),
    ),
    walletOffers,
    autoAccept: Object.fromEntries(
      automation.autoAccept.flatMap(({ receiver, fromParties }) => {
        const to = partyOf(receiver);
        const from = fromParties.map(partyOf).filter((party) => party !== null);
        const instructions = automation.autoAcceptsInstructions ? 'all' : walletOffers === 'locked' ? 'wallet' : 'none';
        return to ? [[to, { fromParties: from, instructions }]] : [];
      }),
    ),
    clockSkewGrace: DSO_DEFAULTS.clockSkewGrace,
  };
  return {
    dso: automation.dso ? DSO_DEFAULTS : null,
    superValidators: automation.dso
      ? (dsoRulesOf(state)?.svs ?? []).map(({ party: sv }) => ({ sv, beneficiaries: [] }))
      : [],
    validators: [own],
    mergeOperators: automation.mergeDelegations ? [{ operator: validator, ...MERGE_DEFAULTS }] : [],
  };
}

function hasWallet(state: LedgerState, validator: PartyId, party: PartyId): boolean {
  for (const install of contractsByKey(state, 'WalletAppInstall', `endUser:${party}`))
    if (install.validator === validator) return true;
  return false;
}
