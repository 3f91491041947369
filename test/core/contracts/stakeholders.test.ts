import { PartyId, type Contract, type TemplateName } from '@coinlab/core';
import { stakeholdersOf, TEMPLATE_NAMES, TEMPLATES } from '@coinlab/core/contracts';
import { expect, it } from 'vitest';

/* Who signs a contract, and who sees it beside them (specification §3): the rights to spend, to see and to end follow from it. */
const [dso, ann, ben, cid] = ['DSO', 'ann', 'ben', 'cid'].map(PartyId.of) as [PartyId, PartyId, PartyId, PartyId];
const who = new Map([dso, ann, ben, cid].map((party) => [party, party.split('::')[0] ?? '']));

type Row = readonly [TemplateName, fields: object, signs: string, sees: string];

const rows: readonly Row[] = [
  ['Holding', { owner: ann, lock: null }, 'ann DSO', ''],
  ['Holding', { owner: ann, lock: { holders: [ben, cid] } }, 'ann DSO ben cid', ''],
  ['AmuletRules', {}, 'DSO', ''],
  ['OpenMiningRound', {}, 'DSO', ''],
  ['SummarizingMiningRound', {}, 'DSO', ''],
  ['IssuingMiningRound', {}, 'DSO', ''],
  ['ClosedMiningRound', {}, 'DSO', ''],
  ['ExternalPartyConfigState', {}, 'DSO', ''],
  ['ExternalPartyAmuletRules', {}, 'DSO', ''],
  ['TransferInstruction', { transfer: { sender: ann, receiver: ben } }, 'DSO ann', 'ben'],
  ['TransferPreapprovalProposal', { receiver: ann, provider: ben }, 'ann', 'ben'],
  ['TransferPreapproval', { receiver: ann, provider: ben }, 'ann ben DSO', ''],
  ['AppRewardCoupon', { provider: ann, beneficiary: null }, 'DSO', 'ann'],
  ['AppRewardCoupon', { provider: ann, beneficiary: ann }, 'DSO', 'ann'],
  ['AppRewardCoupon', { provider: ann, beneficiary: ben }, 'DSO', 'ann ben'],
  ['ValidatorRewardCoupon', { user: ann }, 'DSO', 'ann'],
  ['FeaturedAppRight', { provider: ann }, 'DSO', 'ann'],
  ['FeaturedAppActivityMarker', { provider: ann, beneficiary: ann }, 'DSO', 'ann'],
  ['FeaturedAppActivityMarker', { provider: ann, beneficiary: ben }, 'DSO', 'ann ben'],
  ['SvRewardCoupon', { sv: ann, beneficiary: ann }, 'DSO', 'ann'],
  ['SvRewardCoupon', { sv: ann, beneficiary: ben }, 'DSO', 'ann ben'],
  ['ValidatorLivenessActivityRecord', { validator: ann }, 'DSO', 'ann'],
  ['ValidatorFaucetCoupon', { validator: ann }, 'DSO ann', ''],
  ['UnclaimedActivityRecord', { beneficiary: ann }, 'DSO', 'ann'],
  ['DevelopmentFundCoupon', { beneficiary: ann, fundManager: ann }, 'DSO', 'ann'],
  ['DevelopmentFundCoupon', { beneficiary: ann, fundManager: ben }, 'DSO', 'ann ben'],
  ['UnclaimedReward', {}, 'DSO', ''],
  ['UnclaimedDevelopmentFundCoupon', {}, 'DSO', ''],
  ['ValidatorRight', { user: ann, validator: ann }, 'ann', ''],
  ['ValidatorRight', { user: ann, validator: ben }, 'ann ben', ''],
  ['ValidatorLicense', { validator: ann, sponsor: ben }, 'DSO', 'ann'],
  ['MergeDelegationProposal', { owner: ann, operator: ben }, 'ann', 'ben'],
  ['MergeDelegation', { owner: ann, operator: ben }, 'ann ben', ''],
  ['BatchMergeUtility', { operator: ann }, 'ann', ''],
  ['MintingDelegationProposal', { beneficiary: ann, delegate: ben }, 'ann', 'ben'],
  ['MintingDelegation', { beneficiary: ann, delegate: ben }, 'ann ben', ''],
  ['TransferCommandCounter', { sender: ann }, 'DSO', 'ann'],
  ['TransferCommand', { sender: ann, receiver: cid, delegate: ben }, 'ann DSO', 'ben'],
  ['WalletAppInstall', { validator: ann, endUser: ann }, 'ann', ''],
  ['WalletAppInstall', { validator: ann, endUser: ben }, 'ben ann', ''],
  ['TransferOffer', { sender: ann, receiver: ben }, 'ann', 'ben'],
  ['AcceptedTransferOffer', { sender: ann, receiver: ben }, 'ann ben', ''],
  ['AcceptedTransferOffer', { sender: ann, receiver: ann }, 'ann', ''],
  ['BuyTrafficRequest', { endUser: ann }, 'ann', ''],
  ['MemberTraffic', {}, 'DSO', ''],
  ['ValidatorTopUpState', { validator: ann }, 'ann', ''],
  ['ExternalPartySetupProposal', { validator: ann, user: ben }, 'ann DSO', 'ben'],
  ['DsoRules', {}, 'DSO', ''],
  ['VoteRequest', {}, 'DSO', ''],
  ['SvRewardState', {}, 'DSO', ''],
  ['AmuletPriceVote', {}, 'DSO', ''],
  // Records are no contracts of the network, but somebody keeps them.
  ['LedgerSettings', { dso }, 'DSO', ''],
  ['KnownParty', { party: ann }, 'ann', ''],
  ['KnownPartiesRequired', {}, 'DSO', ''],
  ['MemberTrafficBalance', {}, 'DSO', ''],
  ['TrackingRecord', { owner: ann, receiver: ben }, 'ann', ''],
  ['LedgerUser', { operator: ann, primaryParty: ben }, 'ann', ''],
  ['PartyAnnotations', { operator: ann, party: ben }, 'ann', ''],
  ['UploadedDar', { operator: ann, packages: [] }, 'ann', ''],
  ['ExternalPartyKey', { party: ann }, 'ann', ''],
  ['ExecutedTransaction', { party: ann }, 'ann', ''],
  // The ledger itself keeps it, so that any later submission can drop it.
  ['SubmittedCommand', { actAs: [ann] }, '', ''],
  ['ForeignContract', { signatories: [ann], observers: [ben] }, 'ann', 'ben'],
  ['AnsRules', {}, 'DSO', ''],
  ['SubscriptionRequest', { terms: { sender: ann } }, 'ann DSO', ''],
  ['AnsEntryContext', { user: ann }, 'DSO ann', ''],
  ['SubscriptionPayment', { terms: { sender: ann } }, 'ann DSO', ''],
  ['SubscriptionIdleState', { terms: { sender: ann } }, 'ann DSO', ''],
  ['AnsEntry', { user: ann }, 'ann DSO', ''],
];

it.each(rows)('%s %o is signed by %s and also observed by %s', (template, fields, signs, sees) => {
  const contract = { template, ...fields } as Contract;
  const { signatories, observers } = TEMPLATES[template] as {
    readonly signatories: (contract: Contract, dso: PartyId) => readonly PartyId[];
    readonly observers: (contract: Contract, dso: PartyId) => readonly PartyId[];
  };
  const named = (parties: readonly PartyId[]): string => parties.map((party) => who.get(party)).join(' ');
  expect(named(signatories(contract, dso))).toBe(signs);
  expect(named(observers(contract, dso))).toBe(sees);
  expect(stakeholdersOf(contract, dso)).toEqual([
    ...new Set([...signatories(contract, dso), ...observers(contract, dso)]),
  ]);
});

it('the table of stakeholders has rows for every template', () => {
  const here = new Set(rows.map(([name]) => name));
  expect(TEMPLATE_NAMES.filter((name) => !here.has(name))).toEqual([]);
});
