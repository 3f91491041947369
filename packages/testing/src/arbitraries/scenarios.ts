import fc from 'fast-check';
import {
  type ValidatorAutomation,
  DSO_DEFAULTS,
  runAutomation,
  type Driver,
  PREAPPROVAL_DEFAULTS,
} from '@coinlab/automation';
import {
  type ProfileName,
  Amount,
  type PartyId,
  Duration,
  Instant,
  openLedger,
  type Ledger,
  PROFILE_NAMES,
  type CommandType,
} from '@coinlab/core';
import { earliestAdvance } from '@coinlab/core/rules';
import { dso, founders, people, provider } from '../generator/cast.js';
import { sequences } from '../generator/commands.js';
import type { Drawn } from '../generator/recipe.js';
import { Coverage, play, requireLaws } from '../generator/play.js';
import { TestLedger } from '../world/test-ledger.js';

/** The properties of a generated network. */
export interface NetworkScenarioShape {
  /** Rule profile of the ledger; default: any profile. */
  readonly profile?: ProfileName;
  /** The maximum number of rounds; default: 5. */
  readonly rounds?: number;
  /** The maximum number of commands per round; default: 12. */
  readonly perRound?: number;
  /** The types of commands; default: {@link WALLET_COMMANDS}. */
  readonly commands?: readonly CommandType[];
}

/** A small network: its setup and the commands of each round. */
export interface NetworkScenario {
  readonly profile: ProfileName;
  /** The number of wallet users of the validator: 1 to 4. */
  readonly users: number;
  /** Whether the validator is a featured provider and earns app rewards. */
  readonly isFeatured: boolean;
  /** The number of users with a preapproval. */
  readonly preapproved: number;
  /** The commands of each round, in order. The automations run between rounds. */
  readonly rounds: readonly (readonly Drawn[])[];
}

/** The types of commands that wallet users submit. */
export const WALLET_COMMANDS: readonly CommandType[] = [
  'Tap',
  'DirectTransfer',
  'SelfTransfer',
  'MergeHoldings',
  'CreateOffer',
  'AcceptOffer',
  'RejectOffer',
  'WithdrawOffer',
  'CreateWalletOffer',
  'AcceptWalletOffer',
  'RejectWalletOffer',
  'WithdrawWalletOffer',
  'CreateTrafficRequest',
  'ProposePreapproval',
];

/**
 * Returns an arbitrary of small networks: a validator, which may be featured, wallet users and rounds of
 * commands. Failing scenarios shrink to few users, rounds and commands.
 */
export function networkScenarioArb(shape: NetworkScenarioShape = {}): fc.Arbitrary<NetworkScenario> {
  const { profile, rounds = 5, perRound = 12, commands = WALLET_COMMANDS } = shape;
  return fc.record({
    profile: profile === undefined ? fc.constantFrom(...PROFILE_NAMES) : fc.constant(profile),
    users: fc.integer({ min: 1, max: people.length }),
    isFeatured: fc.boolean(),
    preapproved: fc.nat(people.length),
    rounds: fc.array(sequences(perRound, commands), { minLength: 1, maxLength: rounds, size: 'max' }),
  });
}

/**
 * Runs a scenario and checks every law after every update.
 * @returns the ledger after the last round
 * @throws like `play` when a law is broken
 */
export function playScenario(scenario: NetworkScenario, coverage: Coverage = new Coverage()): Ledger {
  let ledger = foundNetwork(scenario);
  for (const round of scenario.rounds) {
    ledger = play(ledger, round, coverage);
    ledger = nextRound(ledger);
  }
  return ledger;
}

/**
 * Returns the ledger of a scenario before its first round: a super validator, the validator, and users with
 * coins.
 */
export function foundNetwork({ profile, users, isFeatured, preapproved }: Omit<NetworkScenario, 'rounds'>): Ledger {
  const test = new TestLedger(openLedger({ profile, amuletPrice: Amount.of('0.15') }), []);
  const members = people.slice(0, users);
  const [sv] = founders;
  const svs = [{ party: sv, name: 'SV 1', rewardWeight: 100, participantId: 'PAR::sv1::1220' }];
  test.execute({ type: 'BootstrapDso', svs }, dso);
  for (const party of [provider, ...people]) test.execute({ type: 'AllocateParty', party }, party);
  test.execute({ type: 'GrantValidatorLicense', validator: provider, sponsor: sv }, dso);
  if (isFeatured) test.execute({ type: 'GrantFeaturedAppRight', provider }, dso);
  test.mint(provider, '1000');
  for (const [i, user] of members.entries()) {
    const endUserName = `user${i + 1}`;
    test.execute({ type: 'OnboardUser', validator: provider, endUserName, endUser: user }, provider, user);
    for (const amount of ['100', '10', '0.5']) test.mint(user, amount);
    if (i < preapproved) preapprove(test, user);
  }
  return test.ledger;
}

function preapprove(test: TestLedger, receiver: PartyId): void {
  const terms = { expiresAt: Instant.plus(test.now, Duration.days(30)), inputs: test.inputsFor(provider, '50') };
  test.execute({ type: 'CreatePreapproval', receiver, provider, ...terms }, provider, receiver);
}

const HABITS: ValidatorAutomation = {
  validator: provider,
  memberId: 'PAR::one::1220',
  wallets: null,
  recordsLiveness: true,
  collectsRewards: true,
  completesOffers: true,
  mintsByDelegation: true,
  sendsTransferCommands: true,
  renewsNames: true,
  acceptsMergeDelegations: true,
  topUp: null,
  preapprovals: PREAPPROVAL_DEFAULTS,
  sweeps: {},
  walletOffers: 'locked',
  autoAccept: {},
  clockSkewGrace: Duration.seconds(5),
};

function nextRound(start: Ledger): Ledger {
  let ledger = start;
  const earliest = Instant.later(start.state.time, earliestAdvance(start.state) ?? start.state.time);
  const now = Instant.plus(earliest, DSO_DEFAULTS.clockSkewGrace);
  const driver: Driver = {
    get state() {
      return ledger.state;
    },
    submit(command, context) {
      const result = ledger.submit(command, context);
      if (!result.ok) return result;
      requireLaws(ledger, result.value.update, result.value.ledger, [`${command.type} by itself`]);
      ledger = result.value.ledger;
      return result;
    },
  };
  const superValidators = [{ sv: founders[0], beneficiaries: [] }];
  runAutomation(driver, { dso: DSO_DEFAULTS, superValidators, validators: [HABITS], mergeOperators: [] }, now);
  return ledger;
}
