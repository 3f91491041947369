import { Amount, type Command, type ContractId, type PartyId } from '@coinlab/core';
import type { Beneficiary } from '@coinlab/core/rules';
import { choice, creation, type Choice, type Creation } from './choice.js';
import { cid, isObject, record, party, type Daml } from './daml.js';
import { checkExtraArgs, type ExtraArgs } from './extra-args.js';
import { extraArgs } from './factory-transfer.js';
import { RefusedCommand } from './faults.js';
import { beneficiaries } from './featured-apps.js';
import type { Site } from './site.js';

/*
 * The proxy of a featured app for the transfers of its customers. A proxy is a contract that the server only remembers; its choices
 * act on the transfer instruction.
 * Assumption: A-144 (no activity marker).
 */

const on = '#splice-util-featured-app-proxies:Splice.Util.FeaturedApp.DelegateProxy:DelegateProxy';

interface DelegateProxy {
  readonly provider: PartyId;
  readonly delegate: PartyId;
}

const proxy: Daml<DelegateProxy> = record<DelegateProxy>({ provider: party, delegate: party });

interface Delegated {
  readonly cid: ContractId;
  readonly proxyArg: {
    readonly featuredAppRightCid: ContractId;
    readonly beneficiaries: readonly Beneficiary[];
    readonly choiceArg: { readonly extraArgs: ExtraArgs };
  };
}

const delegated: Daml<Delegated> = record<Delegated>({
  cid,
  proxyArg: record<Delegated['proxyArg']>({
    featuredAppRightCid: cid,
    beneficiaries,
    choiceArg: record<Delegated['proxyArg']['choiceArg']>({ extraArgs }),
  }),
});

type Step = 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer';

function delegating(type: Step) {
  return ({ cid: instruction, proxyArg }: Delegated, site: Site): Command => {
    const { provider } = site.contract('FeaturedAppRight', proxyArg.featuredAppRightCid);
    site.expectSame('provider', providerOf(site), provider, proxyArg.featuredAppRightCid);
    refuseWeights(proxyArg.beneficiaries);
    site.contract('TransferInstruction', instruction);
    checkExtraArgs(proxyArg.choiceArg.extraArgs, type === 'AcceptOffer' ? ['amulet-rules', 'open-round'] : [], site);
    return { type, instruction };
  };
}

function providerOf(site: Site): string {
  const json: unknown = JSON.parse(site.contract('ForeignContract', site.target).arguments);
  return isObject(json) ? String(json['provider']) : '';
}

function refuseWeights(given: readonly Beneficiary[]): void {
  const sum = given.reduce((total, { weight }) => Amount.add(total, weight), Amount.zero);
  if (sum !== Amount.of('1'))
    throw new RefusedCommand({
      code: 'INVALID_ARGUMENT',
      field: 'choiceArgument.proxyArg.beneficiaries',
      value: `weights of ${Amount.short(sum)} in all`,
      expected: 'weights of 1 in all',
    });
}

function delegatedChoice(step: string, type: Step): Choice {
  return choice({
    on,
    template: 'ForeignContract',
    name: `DelegateProxy_TransferInstruction_${step}`,
    isConsuming: false,
    argument: delegated,
    commands: [type],
    command: delegating(type),
    // The update is that of the transfer instruction's own choice.
    records: {},
  });
}

export const delegateProxyCreations: readonly Creation[] = [
  creation({
    on,
    argument: proxy,
    commands: ['CreateForeignContract'],
    kinds: ['ForeignContractCreated'],
    command: (argument) => ({
      type: 'CreateForeignContract',
      templateId: on,
      arguments: JSON.stringify(proxy.write(argument)),
      signatories: [argument.provider],
      observers: [argument.delegate],
    }),
  }),
];

export const delegateProxyChoices: readonly Choice[] = [
  delegatedChoice('Accept', 'AcceptOffer'),
  delegatedChoice('Reject', 'RejectOffer'),
  delegatedChoice('Withdraw', 'WithdrawOffer'),
];
