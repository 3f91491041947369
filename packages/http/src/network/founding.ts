import {
  Amount,
  isKnownParty,
  PartyId,
  settingsOf,
  type Command,
  type LedgerState,
  type Rejection,
  TEST_PARTIES,
} from '@coinlab/core';
import { contractsByKey } from '@coinlab/core/views';
import { dsoRulesOf, licenseOf } from '@coinlab/core/rules';
import type { ServerConfig } from '../config.js';
import type { Host } from '../host/host.js';
import type { HostedUser } from './simulated-users.js';
import { installOf } from '../host/hosted-parties.js';
import type { Validator } from '../host/validators.js';

const DEV_FUNDS = Amount.of('10000');
const OPERATOR_FUNDS = Amount.of('1000000');
const SV_WEIGHT = 10_000;

export interface Founders {
  readonly validators: readonly [Validator, ...Validator[]];
  readonly config: ServerConfig;
  /** Users of a foreign log, who get wallets but no coin. Null: this server wrote the log. */
  readonly hosted: readonly HostedUser[] | null;
}

type Step = readonly [command: Command, ...actAs: PartyId[]];

/**
 * Completes an opened ledger with its super validator, rules and validators. Existing contracts are kept, so a restart
 * completes what a crash interrupted.
 * @returns the first refusal, or null
 */
export async function found(host: Host, founders: Founders): Promise<Rejection | null> {
  // All are submitted before the first is awaited: the log appends them in one group.
  const answers = await Promise.all(
    stepsOf(host.state, founders).map(([command, ...actAs]) => host.submit(command, actAs)),
  );
  for (const answer of answers) if (!answer.ok) return answer.error;
  return null;
}

class Steps {
  readonly list: Step[] = [];
  readonly #state: LedgerState;
  readonly #allocated: Set<PartyId> = new Set();

  constructor(state: LedgerState) {
    this.#state = state;
  }

  allocate(party: PartyId, displayName: string): void {
    if (isKnownParty(this.#state, party) || this.#allocated.has(party)) return;
    this.#allocated.add(party);
    this.list.push([{ type: 'AllocateParty', party, displayName }, party]);
  }

  install(validator: PartyId, endUserName: string, endUser: PartyId): boolean {
    if (installOf(this.#state, validator, endUserName)) return false;
    this.list.push([{ type: 'OnboardUser', validator, endUserName, endUser }, validator, endUser]);
    return true;
  }

  fund(receiver: PartyId, amount: Amount): void {
    if (settingsOf(this.#state).isDevNet) this.list.push([{ type: 'Tap', receiver, amount }, receiver]);
  }
}

function stepsOf(state: LedgerState, founders: Founders): readonly Step[] {
  const { validators, config, hosted } = founders;
  const steps = new Steps(state);
  const sv = foundingSv(validators);
  steps.allocate(sv.party, sv.name);
  for (const { validator, name } of validators) steps.allocate(validator, name);
  if (!dsoRulesOf(state)) steps.list.push([{ type: 'BootstrapDso', svs: [sv] }, settingsOf(state).dso]);
  const [{ validator: first }] = validators;
  for (const validator of validators) addValidator(steps, state, validator, sv.party, founders);
  for (const { user, party } of hosted ?? []) steps.install(first, user, party);
  if (!config.dev || hosted) return steps.list;
  for (const name of TEST_PARTIES) {
    const party = PartyId.of(name);
    steps.allocate(party, name);
    if (steps.install(first, name, party)) steps.fund(party, DEV_FUNDS);
  }
  return steps.list;
}

interface FoundingSv {
  readonly party: PartyId;
  readonly name: string;
  readonly rewardWeight: number;
  readonly participantId: string;
}

function foundingSv(validators: readonly Validator[]): FoundingSv {
  const own = validators.find(({ isSuperValidator }) => isSuperValidator);
  const rewardWeight = SV_WEIGHT;
  if (own) return { party: own.validator, name: own.name, rewardWeight, participantId: own.participantId };
  return { party: PartyId.of('sv-1'), name: 'sv-1', rewardWeight, participantId: `PAR::${PartyId.of('sv-1')}` };
}

function addValidator(
  steps: Steps,
  state: LedgerState,
  { validator, walletUsers }: Validator,
  sponsor: PartyId,
  { config, hosted }: Founders,
): void {
  const { validatorWalletUser: operator, release: version, dev } = config;
  if (!licenseOf(state, validator))
    steps.list.push([{ type: 'GrantValidatorLicense', validator, sponsor, version }, settingsOf(state).dso]);
  const isReceiver = (template: 'TransferPreapproval' | 'TransferPreapprovalProposal'): boolean =>
    !contractsByKey(state, template, `receiver:${validator}`)[Symbol.iterator]().next().done;
  if (steps.install(validator, operator, validator) && dev && !hosted) steps.fund(validator, OPERATOR_FUNDS);
  for (const user of walletUsers) steps.install(validator, user, validator);
  // Automation buys the preapproval as soon as the operator has coin.
  if (!isReceiver('TransferPreapproval') && !isReceiver('TransferPreapprovalProposal'))
    steps.list.push([{ type: 'ProposePreapproval', receiver: validator, provider: validator }, validator]);
}
