import { Amount, Duration, PartyId, settingsOf, type LedgerState, type Rejection, type Update } from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import {
  DSO_DEFAULTS,
  habitsOf,
  MERGE_DEFAULTS,
  PREAPPROVAL_DEFAULTS,
  runHabits,
  type AutomationConfig,
  type Cadence,
  type ValidatorAutomation,
} from '@coinlab/core/automation';
import { dsoRulesOf } from '@coinlab/core/rules';
import { stakeholdersOf } from '@coinlab/core/contracts';
import type { ServerConfig } from '../config.js';
import type { Host } from '../host/host.js';
import { installOf, type ValidatorIdentity } from '../host/hosted-parties.js';

/** What lets the habits of a network have their turn. */
export interface AutomationDriver {
  /** All habits of some paces have their turn now; resolves once what they did is in the log. */
  run(cadences: readonly Cadence[]): Promise<void>;
  /**
   * Moves the clock on by hand, in steps of a poll and at most a thousand of them, with the habits having their turn after each:
   * so that rounds pass as they would have.
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

/** Steps that a clock takes at most when it is moved on by hand. */
const MOST_STEPS = 1000;
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
  const { pollSeconds, rewardPollSeconds } = config.automation;
  const { speed } = host.clock;
  const timers: NodeJS.Timeout[] = [];
  const touched = new Set<PartyId>();
  let reaction: NodeJS.Timeout | null = null;
  let isStopped = false;

  const take = (cadences: readonly Cadence[], wallets: readonly PartyId[] | null): void => {
    if (!isStopped) takeTurns(options, cadences, wallets);
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

  const every = (seconds: number, cadences: readonly Cadence[]): void => {
    const millis = Math.max(SHORTEST_POLL_MILLIS, Math.min((seconds * 1000) / speed, 2 ** 31 - 1));
    timers.push(setInterval(() => take(cadences, null), millis).unref());
  };
  if (speed > 0) {
    every(pollSeconds, ['frequent']);
    every(rewardPollSeconds, ['rewards', 'merges']);
  }

  return {
    run,
    async advance(by) {
      const poll = Duration.seconds(pollSeconds);
      const step = by / BigInt(MOST_STEPS) > poll ? by / BigInt(MOST_STEPS) : poll;
      const rewardsEvery = Duration.seconds(rewardPollSeconds);
      let sinceRewards = 0n;
      for (let rest: bigint = by; rest > 0n; rest -= step) {
        const next = Duration.ofMicros(rest < step ? rest : step);
        host.clock.advance(next);
        sinceRewards += next;
        const isRewardTime = sinceRewards >= rewardsEvery;
        if (isRewardTime) sinceRewards = 0n;
        take(isRewardTime ? ['frequent', 'rewards', 'merges'] : ['frequent'], null);
        await host.settled();
      }
      if (by <= 0n) await run(['frequent']);
    },
    stop() {
      isStopped = true;
      unsubscribe();
      for (const timer of timers) clearInterval(timer);
      if (reaction) clearTimeout(reaction);
    },
  };
}

/** @param wallets whose habits have their turn beside those of the network and the validator; null: all wallets' */
function takeTurns(options: AutomationOptions, cadences: readonly Cadence[], wallets: readonly PartyId[] | null): void {
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
    for (const habit of habitsOf(automationOf(options, host.ahead, wallets), host.ahead))
      attempt(habit.name, () => {
        const { refused } = runHabits(driver, [habit], host.now(), cadences);
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
