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
import { installOf, type ValidatorIdentity } from '../host/hosted-parties.js';

const FOUNDING_SV: PartyId = PartyId.of('sv-1');

const DEV_FUNDS = Amount.of('10000');
const OPERATOR_FUNDS = Amount.of('1000000');
const SV_WEIGHT = 10_000;

export interface Founders extends ValidatorIdentity {
  readonly config: ServerConfig;
  /** Users of a foreign log: they get wallets, but no coin. Null: this server wrote the log. */
  readonly hosted: readonly HostedUser[] | null;
}

type Step = readonly [command: Command, ...actAs: PartyId[]];

/**
 * Completes an opened ledger: one super validator, the rules of the DSO and of names, the validator with its license, wallet and
 * preapproval proposal; with `dev` ten funded users. Existing contracts are kept, so a restart completes what a crash interrupted.
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

function stepsOf(state: LedgerState, { validator, config, hosted }: Founders): readonly Step[] {
  const { dso, isDevNet } = settingsOf(state);
  const steps: Step[] = [];
  const knows = (party: PartyId, displayName: string): void => {
    if (!isKnownParty(state, party)) steps.push([{ type: 'AllocateParty', party, displayName }, party]);
  };
  knows(FOUNDING_SV, 'sv-1');
  knows(validator, 'validator');
  if (!dsoRulesOf(state)) {
    const sv = {
      party: FOUNDING_SV,
      name: 'sv-1',
      rewardWeight: SV_WEIGHT,
      participantId: `PAR::${PartyId.of('sv-1')}`,
    };
    steps.push([{ type: 'BootstrapDso', svs: [sv] }, dso]);
  }
  if (!licenseOf(state, validator))
    steps.push([{ type: 'GrantValidatorLicense', validator, sponsor: FOUNDING_SV, version: config.release }, dso]);
  const isReceiver = (template: 'TransferPreapproval' | 'TransferPreapprovalProposal'): boolean =>
    !contractsByKey(state, template, `receiver:${validator}`)[Symbol.iterator]().next().done;
  const installs = (name: string, party: PartyId): boolean => {
    if (installOf(state, validator, name)) return false;
    steps.push([{ type: 'OnboardUser', validator, endUserName: name, endUser: party }, validator, party]);
    return true;
  };
  const funds = (receiver: PartyId, amount: Amount): void => {
    if (isDevNet) steps.push([{ type: 'Tap', receiver, amount }, receiver]);
  };
  if (installs(config.validatorWalletUser, validator) && config.dev && !hosted) funds(validator, OPERATOR_FUNDS);
  // Automation buys the preapproval as soon as the operator has coin.
  if (!isReceiver('TransferPreapproval') && !isReceiver('TransferPreapprovalProposal'))
    steps.push([{ type: 'ProposePreapproval', receiver: validator, provider: validator }, validator]);
  for (const { user, party } of hosted ?? []) installs(user, party);
  if (!config.dev || hosted) return steps;
  for (const name of TEST_PARTIES) {
    const party = PartyId.of(name);
    knows(party, name);
    if (installs(name, party)) funds(party, DEV_FUNDS);
  }
  return steps;
}
