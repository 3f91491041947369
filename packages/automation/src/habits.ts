import {
  contractsOf,
  type Command,
  type Context,
  type Entry,
  type Instant,
  type LedgerState,
  type PartyId,
  type Rejection,
  type Submitted,
} from '@coinlab/core';
import { autoAccept } from './auto-accept.js';
import { collect } from './collect.js';
import type { AutomationConfig, ValidatorAutomation } from './config.js';
import { dsoRoutines } from './dso.js';
import { collectSvRewards, recordLiveness } from './liveness.js';
import { acceptMergeDelegations, mergeDelegatedHoldings } from './merge-delegation.js';
import { expireMintingDelegations, mintForBeneficiaries } from './minting-delegation.js';
import { renewNames } from './names.js';
import { completeOffers, completeTrafficRequests, expireOffers } from './offers.js';
import { acceptPreapprovals, renewPreapprovals } from './preapprovals.js';
import { sweep } from './sweep.js';
import type { Policy, Task } from './task.js';
import { sparingTraffic, topUp, type TopUpLoop } from './top-up.js';
import { expireTransferCommands, sendTransferCommands } from './transfer-commands.js';

/**
 * How often a habit (an automation routine) runs.
 * - `frequent`: at every poll, 30 s on the real network
 * - `rewards`: at the longer interval at which wallets collect rewards and merge coins, 200 s, later 300 s
 * - `merges`: at the interval of a wallet provider's background merges
 * Source: specification §2.6, §8.2, §8.8.
 */
export type Cadence = 'frequent' | 'rewards' | 'merges';

const EVERY_CADENCE: readonly Cadence[] = ['frequent', 'rewards', 'merges'];

/** Submits tasks: an engine, or any object that decides commands and keeps the state. */
export interface Driver {
  readonly state: LedgerState;
  submit(command: Command, context: Context): Submitted;
}

/** The result of a run: accepted entries and rejected tasks. */
export interface AutomationRun {
  readonly accepted: readonly Entry[];
  /** Rejected tasks. Rare: policies do not return commands that the state would refuse. */
  readonly refused: readonly { readonly task: Task; readonly rejection: Rejection }[];
}

/** An automation routine: a named policy, and how often it runs. */
export interface Habit {
  readonly name: string;
  readonly cadence: Cadence;
  readonly policy: Policy;
}

/**
 * Runs every habit of a configuration, the DSO's first: submits the tasks of a habit until it returns none. Afterwards
 * a habit has tasks only if a habit that ran after it created them.
 * Source: specification §8.
 */
export function runAutomation(
  driver: Driver,
  config: AutomationConfig,
  now: Instant,
  cadences: readonly Cadence[] = EVERY_CADENCE,
): AutomationRun {
  return runHabits(driver, habitsOf(config, driver.state), now, cadences);
}

/** Runs the given habits in order, each as {@link runAutomation} does. */
export function runHabits(
  driver: Driver,
  habits: readonly Habit[],
  now: Instant,
  cadences: readonly Cadence[] = EVERY_CADENCE,
): AutomationRun {
  const accepted: Entry[] = [];
  const refused: { readonly task: Task; readonly rejection: Rejection }[] = [];
  for (const { policy, cadence } of habits) {
    if (!cadences.includes(cadence)) continue;
    // A refused task would be returned again, so a turn ends when no task was accepted.
    for (let isBusy = true; isBusy;) {
      isBusy = false;
      for (const task of policy(driver.state, now)) {
        const { command, actAs, at = now } = task;
        const result = driver.submit(command, { now: at, actAs });
        if (result.ok) accepted.push(result.value.entry);
        else refused.push({ task, rejection: result.error });
        isBusy ||= result.ok;
      }
    }
  }
  return { accepted, refused };
}

/**
 * Returns the habits of a configuration in the order in which they run; wallets that are not listed are looked up in
 * the state.
 */
export function habitsOf(config: AutomationConfig, state: LedgerState): readonly Habit[] {
  const frequent = (name: string, policy: Policy): Habit => ({ name, cadence: 'frequent', policy });
  return [
    ...Object.entries(config.dso ? dsoRoutines(config.dso) : {}).map(([name, policy]) => frequent(name, policy)),
    ...config.superValidators.map(({ sv, beneficiaries }) =>
      frequent(`rewards of ${sv}`, collectSvRewards(sv, beneficiaries)),
    ),
    ...config.validators.flatMap((validator) => habitsOfValidator(validator, state)),
    ...config.mergeOperators.map(({ operator, ...merging }): Habit => ({
      name: `merges of ${operator}`,
      cadence: 'merges',
      policy: mergeDelegatedHoldings(operator, merging),
    })),
  ];
}

function habitsOfValidator(config: ValidatorAutomation, state: LedgerState): readonly Habit[] {
  const { validator, preapprovals, clockSkewGrace } = config;
  const loop = loopOf(config);
  const habits: Habit[] = [];
  if (loop) habits.push({ name: `top-up of ${validator}`, cadence: 'frequent', policy: topUp(loop) });
  const add = adder(habits, validator, config);
  if (config.recordsLiveness) add('liveness', recordLiveness(validator));
  if (config.sendsTransferCommands) {
    add('transfer commands', sendTransferCommands(validator));
    add('expired transfer commands', expireTransferCommands(validator, clockSkewGrace));
  }
  if (preapprovals) {
    add('preapproval proposals', acceptPreapprovals(validator, preapprovals, config.memberId));
    add('preapproval renewal', renewPreapprovals(validator, preapprovals));
  }
  if (config.acceptsMergeDelegations) add('merge proposals', acceptMergeDelegations(validator, config.memberId));
  const wallets = config.wallets ?? walletsOf(state, validator);
  return [...habits, ...wallets.flatMap((party) => habitsOfWallet(party, config))];
}

/** Returns the habits (periodic policies) of one wallet. A server calls it only for wallets with new updates. */
export function habitsOfWallet(party: PartyId, config: ValidatorAutomation): readonly Habit[] {
  const { validator, clockSkewGrace } = config;
  const wallet = { party, validator };
  const bringsCoin = party === validator;
  const habits: Habit[] = [];
  const add = adder(habits, party, config);
  const accept = config.autoAccept[party];
  if (accept) add('auto-accept', autoAccept(party, accept), { bringsCoin });
  if (config.completesOffers) {
    add('offers', completeOffers(wallet));
    add('traffic requests', completeTrafficRequests(wallet));
    add('expired offers', expireOffers(wallet, clockSkewGrace));
  }
  if (config.mintsByDelegation) {
    add('expired delegations', expireMintingDelegations(party, clockSkewGrace));
    add('delegated minting', mintForBeneficiaries(party), { cadence: 'rewards' });
  }
  if (config.renewsNames) add('names', renewNames(wallet));
  if (config.collectsRewards) add('collection', collect(wallet), { cadence: 'rewards', bringsCoin });
  const swept = config.sweeps[party];
  if (swept) add('sweep', sweep(party, swept, config.walletOffers));
  return habits;
}

function adder(
  habits: Habit[],
  party: PartyId,
  config: ValidatorAutomation,
): (what: string, policy: Policy, rest?: { readonly cadence?: Cadence; readonly bringsCoin?: boolean }) => void {
  const loop = loopOf(config);
  return (what, policy, { cadence = 'frequent', bringsCoin = false } = {}) => {
    const sparing = loop ? sparingTraffic(loop, policy, bringsCoin) : policy;
    habits.push({ name: `${what} of ${party}`, cadence, policy: sparing });
  };
}

function loopOf({ validator, memberId, topUp: config }: ValidatorAutomation): TopUpLoop | null {
  return config ? { validator, member: { memberId }, config } : null;
}

function walletsOf(state: LedgerState, validator: PartyId): readonly PartyId[] {
  const parties = new Set<PartyId>([validator]);
  for (const { validator: at, endUser } of contractsOf(state, 'WalletAppInstall', validator)) {
    if (at === validator) parties.add(endUser);
  }
  return [...parties];
}
