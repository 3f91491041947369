import {
  Amount,
  contractsOf,
  Duration,
  type Contract,
  type ContractOf,
  type Engine,
  type Entry,
  type Instant,
  type LedgerState,
  type PartyId,
  type TemplateName,
} from '@coinlab/core';
import {
  DSO_DEFAULTS,
  habitsOfWallet,
  runHabits,
  type AutomationConfig,
  type Habit,
  type ValidatorAutomation,
} from '@coinlab/automation';
import { isPacked, receiverOf, senderOf } from '@coinlab/core/codec';
import type { WalletAutomation } from '../scenario/automation.js';
import { ROUND_SPAN, type Scenario } from '../scenario/scenario.js';
import { nodeOf, SV } from './network.js';
import type { Members, Population } from './population.js';

export function automationOf({ network }: Scenario, population: Population): AutomationConfig {
  const validators: ValidatorAutomation[] = [];
  for (const { group, start, count } of population.groups) {
    const { topUp, preapprovals } = group.automation;
    const isRewarded = network.rewards && (group.temperament === 'validator' || group.featured);
    if (!isRewarded && !topUp && !preapprovals) continue;
    for (let number = start; number < start + count; number++) {
      const validator = population.party(number);
      validators.push({
        ...NO_HABITS,
        validator,
        memberId: nodeOf(validator),
        wallets: [validator],
        recordsLiveness: network.rewards && group.temperament === 'validator',
        collectsRewards: isRewarded,
        topUp: topUp
          ? {
              targetThroughput: topUp.bytesPerSecond,
              minTopupInterval: Duration.of(topUp.every),
              pollingInterval: POLLING,
              tap: 'never',
            }
          : null,
        preapprovals: preapprovals
          ? {
              lifetime: Duration.of(preapprovals.lifetime),
              renewalWindow: Duration.of(preapprovals.renewal),
              acceptsForeignReceivers: false,
            }
          : null,
      });
    }
  }
  return {
    dso: { ...DSO_DEFAULTS, clockSkewGrace: Duration.seconds(0), expiresDust: network.expiresDust },
    superValidators: network.rewards ? [{ sv: SV, beneficiaries: [] }] : [],
    validators,
    mergeOperators: [],
  };
}

/** Polling interval of the network's top-up loop. Source: specification §2.6. */
const POLLING = Duration.seconds(30);

const NO_HABITS: Omit<ValidatorAutomation, 'validator' | 'memberId' | 'wallets'> = {
  recordsLiveness: false,
  collectsRewards: false,
  completesOffers: false,
  mintsByDelegation: false,
  sendsTransferCommands: false,
  renewsNames: false,
  acceptsMergeDelegations: false,
  topUp: null,
  preapprovals: null,
  sweeps: {},
  walletOffers: 'public',
  autoAccept: {},
  clockSkewGrace: Duration.seconds(0),
};

/** Turns per round: on the network a wallet acts twice a minute. An offer is accepted in the second turn and paid in the third. */
const MOST_TURNS = 20;

export class WalletHelpers {
  readonly #population: Population;
  readonly #numbers: ReadonlyMap<PartyId, number>;
  readonly #active: Set<number> = new Set();
  readonly #habits: Map<number, readonly Habit[]> = new Map();
  readonly #senders: Map<readonly string[], readonly PartyId[]> = new Map();

  constructor(population: Population) {
    this.#population = population;
    const isHelped = ({ group }: Members): boolean => helps(group.automation);
    this.#numbers = new Map(
      population.groups
        .filter(isHelped)
        .flatMap(({ start, count }) =>
          Array.from({ length: count }, (_, i) => [population.party(start + i), start + i] as const),
        ),
    );
  }

  save(): readonly number[] {
    return [...this.#active];
  }

  restore(active: readonly number[]): void {
    for (const number of active) this.#active.add(number);
  }

  fold(entry: Entry): void {
    if (this.#numbers.size === 0) return;
    if (isPacked(entry)) {
      if (entry.paid > 0) this.#markActive(receiverOf(entry));
      if (entry.change > 0) this.#markActive(senderOf(entry));
    } else for (const contract of entry.created) for (const party of concerned(contract)) this.#markActive(party);
  }

  #markActive(party: PartyId): void {
    const number = this.#numbers.get(party);
    if (number !== undefined) this.#active.add(number);
  }

  run(engine: Engine, now: Instant): void {
    const waiting = new Set<number>();
    for (let turn = 0; turn < MOST_TURNS && this.#active.size > 0; turn++) {
      const active = [...this.#active].sort((a, b) => a - b);
      this.#active.clear();
      for (const number of active) {
        const party = this.#population.party(number);
        const { automation } = this.#population.membersOf(number).group;
        runHabits(engine, this.#habitsOf(number), now);
        if (isWaiting(engine.state, party, automation)) waiting.add(number);
      }
    }
    for (const number of waiting) this.#active.add(number);
  }

  #habitsOf(number: number): readonly Habit[] {
    const known = this.#habits.get(number);
    if (known) return known;
    const { automation } = this.#population.membersOf(number).group;
    const habits = habitsOfWallet(this.#population.party(number), this.#configOf(number, automation));
    this.#habits.set(number, habits);
    return habits;
  }

  #configOf(number: number, { collects, sweep, accepts, completesOffers }: WalletAutomation): ValidatorAutomation {
    const population = this.#population;
    const party = population.party(number);
    const validator = population.party(population.hostOf(number));
    const receiver = sweep && population.party(population.named(sweep.to).start);
    return {
      ...NO_HABITS,
      validator,
      memberId: nodeOf(validator),
      wallets: [party],
      collectsRewards: collects,
      completesOffers,
      sweeps:
        sweep && receiver && receiver !== party
          ? {
              [party]: {
                receiver,
                maxBalanceUSD: Amount.of(sweep.maxBalanceUsd),
                minBalanceUSD: Amount.of(sweep.minBalanceUsd),
                useTransferPreapproval: sweep.preapproved,
              },
            }
          : {},
      autoAccept: accepts
        ? {
            [party]: {
              fromParties: this.#sendersTo(accepts.from),
              instructions: accepts.instructions,
            },
          }
        : {},
    };
  }

  /** All wallets of a group share one list. */
  #sendersTo(groups: readonly string[]): readonly PartyId[] {
    const known = this.#senders.get(groups);
    if (known) return known;
    const senders = groups.flatMap((name) => this.#population.partiesOf(this.#population.named(name)));
    this.#senders.set(groups, senders);
    return senders;
  }
}

function helps({ collects, sweep, accepts, completesOffers }: WalletAutomation): boolean {
  return collects || completesOffers || sweep !== undefined || accepts !== undefined;
}

function concerned(contract: Contract): readonly PartyId[] {
  if (!isActedOn(contract)) return [];
  switch (contract.template) {
    case 'Holding':
      return [contract.owner];
    case 'AppRewardCoupon':
      return [contract.provider];
    case 'ValidatorRewardCoupon':
      return [contract.user];
    case 'TransferInstruction':
      return [contract.transfer.receiver];
    case 'TransferOffer':
    case 'AcceptedTransferOffer':
      return [contract.sender, contract.receiver];
    default:
      return contract satisfies never;
  }
}

const ACTED_ON = [
  'Holding',
  'AppRewardCoupon',
  'ValidatorRewardCoupon',
  'TransferInstruction',
  'TransferOffer',
  'AcceptedTransferOffer',
] as const satisfies readonly TemplateName[];

function isActedOn(contract: Contract): contract is ContractOf<(typeof ACTED_ON)[number]> {
  return ACTED_ON.some((template) => template === contract.template);
}

function isWaiting(state: LedgerState, party: PartyId, { collects, completesOffers }: WalletAutomation): boolean {
  const has = (
    template: 'AppRewardCoupon' | 'ValidatorRewardCoupon' | 'TransferOffer' | 'AcceptedTransferOffer',
  ): boolean => {
    for (const _ of contractsOf(state, template, party)) return true;
    return false;
  };
  return (
    (collects && (has('AppRewardCoupon') || has('ValidatorRewardCoupon'))) ||
    (completesOffers && (has('TransferOffer') || has('AcceptedTransferOffer')))
  );
}

export function roundsIn(span: string): number {
  return Math.max(1, Math.round(Number(Duration.of(span)) / Number(ROUND_SPAN)));
}
