import { Amount, type ContractId, type Json, type MergeCall, type PartyId, type UpdateOf } from '@coinlab/core';
import type { Beneficiary } from '@coinlab/core/rules';
import { choice, coinsIn, creation, type Choice, type Creation, type Exercised, type LedgerFacts } from './choice.js';
import { cid, list, metadata, optional, party, record, unit, type Metadata } from './daml.js';
import { beneficiaries } from './featured-apps.js';
import type { Site } from './site.js';
import { factoryTransfer, TRANSFER, transferArgumentOf, transferOf, type FactoryTransfer } from './factory-transfer.js';
import { completed, transferResult } from './transfer-results.js';

const PACKAGE = '#splice-util-token-standard-wallet:Splice.Util.Token.Wallet.MergeDelegation';
const onProposal = { on: `${PACKAGE}:MergeDelegationProposal`, template: 'MergeDelegationProposal' } as const;
const onDelegation = { on: `${PACKAGE}:MergeDelegation`, template: 'MergeDelegation' } as const;
const onUtility = { on: `${PACKAGE}:BatchMergeUtility`, template: 'BatchMergeUtility' } as const;

interface Delegation {
  readonly operator: PartyId;
  readonly owner: PartyId;
  readonly meta: Metadata;
}

interface TransferCall {
  readonly factoryCid: ContractId;
  readonly choiceArg: FactoryTransfer;
}

interface ActivityCall {
  readonly appRightCid: ContractId;
  readonly beneficiaries: readonly Beneficiary[];
}

interface Merge {
  readonly optMergeTransfer: TransferCall | null;
  readonly optExtraTransfer: TransferCall | null;
  readonly optFeaturedAppRight: ActivityCall | null;
}

interface BatchMerge {
  readonly mergeCalls: readonly { readonly delegationCid: ContractId; readonly choiceArg: Merge }[];
}

const transferCall = record<TransferCall>({ factoryCid: cid, choiceArg: factoryTransfer });
const merge = record<Merge>({
  optMergeTransfer: optional(transferCall),
  optExtraTransfer: optional(transferCall),
  optFeaturedAppRight: optional(record<ActivityCall>({ appRightCid: cid, beneficiaries })),
});
const batch = record<BatchMerge>({ mergeCalls: list(record({ delegationCid: cid, choiceArg: merge })) });

export const mergeDelegationCreations: readonly Creation[] = [
  creation({
    on: onProposal.on,
    argument: record<{ readonly delegation: Delegation }>({
      delegation: record<Delegation>({ operator: party, owner: party, meta: metadata }),
    }),
    commands: ['ProposeMergeDelegation'],
    kinds: ['MergeDelegationProposed'],
    command: ({ delegation: { operator, owner, meta } }) => ({
      type: 'ProposeMergeDelegation',
      owner,
      operator,
      meta: meta.values,
    }),
  }),
  creation({
    on: onUtility.on,
    argument: record<{ readonly operator: PartyId }>({ operator: party }),
    commands: ['CreateBatchMergeUtility'],
    kinds: ['BatchMergeUtilityCreated'],
    command: ({ operator }) => ({ type: 'CreateBatchMergeUtility', operator }),
  }),
];

export const mergeDelegationChoices: readonly Choice[] = [
  choice({
    ...onProposal,
    name: 'MergeDelegationProposal_Accept',
    isConsuming: true,
    argument: unit,
    commands: ['AcceptMergeDelegation'],
    command: (_, { target }) => ({ type: 'AcceptMergeDelegation', proposal: target }),
    records: {
      MergeDelegationAccepted: ({ detail: { proposal, delegation } }) => ({
        contract: proposal,
        argument: {},
        result: { mergeDelegationCid: cid.write(delegation) },
      }),
    },
  }),
  choice({
    ...onProposal,
    name: 'MergeDelegationProposal_Reject',
    isConsuming: true,
    argument: unit,
    commands: ['RejectMergeDelegationProposal'],
    command: (_, { target }) => ({ type: 'RejectMergeDelegationProposal', proposal: target }),
    records: { MergeDelegationProposalRejected: ({ detail }) => ended(detail.proposal) },
  }),
  choice({
    ...onProposal,
    name: 'MergeDelegationProposal_Withdraw',
    isConsuming: true,
    argument: unit,
    commands: ['WithdrawMergeDelegationProposal'],
    command: (_, { target }) => ({ type: 'WithdrawMergeDelegationProposal', proposal: target }),
    records: { MergeDelegationProposalWithdrawn: ({ detail }) => ended(detail.proposal) },
  }),
  choice({
    ...onDelegation,
    name: 'MergeDelegation_Merge',
    isConsuming: false,
    argument: merge,
    commands: ['MergeDelegatedHoldings'],
    command: (argument, site) => ({ type: 'MergeDelegatedHoldings', ...callOf(site.target, argument, site) }),
    records: {
      DelegatedHoldingsMerged(update, facts) {
        const [call] = update.detail.calls;
        if (update.detail.utility !== null || !call) return null;
        const [made] = callsOf(update, facts);
        return made
          ? {
              contract: call.delegation,
              argument: made.choiceArg,
              result: mergeResult(call),
              inner: mergeTransfer(made.choiceArg, call),
            }
          : null;
      },
    },
  }),
  choice({
    ...onDelegation,
    name: 'MergeDelegation_Reject',
    isConsuming: true,
    argument: unit,
    commands: ['RejectMergeDelegation'],
    command: (_, { target }) => ({ type: 'RejectMergeDelegation', delegation: target }),
    records: { MergeDelegationRejected: ({ detail }) => ended(detail.delegation) },
  }),
  choice({
    ...onDelegation,
    name: 'MergeDelegation_Withdraw',
    isConsuming: true,
    argument: unit,
    commands: ['WithdrawMergeDelegation'],
    command: (_, { target }) => ({ type: 'WithdrawMergeDelegation', delegation: target }),
    records: { MergeDelegationWithdrawn: ({ detail }) => ended(detail.delegation) },
  }),
  choice({
    ...onUtility,
    name: 'BatchMergeUtility_BatchMerge',
    aliases: ['BatchMergeUtility_MergeHoldings'],
    isConsuming: false,
    argument: batch,
    commands: ['BatchMergeHoldings'],
    command: ({ mergeCalls }, site) => ({
      type: 'BatchMergeHoldings',
      utility: site.target,
      calls: mergeCalls.map(({ delegationCid, choiceArg }) => callOf(delegationCid, choiceArg, site)),
    }),
    records: {
      DelegatedHoldingsMerged(update, facts) {
        const { detail } = update;
        const { utility, calls, operatorChange } = detail;
        if (utility === null) return null;
        const made = callsOf(update, facts);
        const change = operatorChange === null ? [] : [cid.write(operatorChange)];
        const operatorChangeMap = change.length === 0 ? [] : [[{ admin: facts.dso, id: 'Amulet' }, change]];
        return {
          contract: utility,
          argument: { mergeCalls: made },
          result: { results: calls.map(mergeResult), operatorChangeMap },
          inner: calls.map((call, i) => mergeOf(call, made[i]?.choiceArg ?? NO_MERGE, detail.operator)),
        };
      },
    },
  }),
];

function ended(contract: ContractId): { contract: ContractId; argument: Record<never, never>; result: Json } {
  return { contract, argument: {}, result: { result: {} } };
}

function callOf(delegation: ContractId, argument: Merge, site: Site): MergeCall {
  const { optMergeTransfer, optExtraTransfer, optFeaturedAppRight } = argument;
  const extra = optExtraTransfer && transferOf(optExtraTransfer.choiceArg, optExtraTransfer.factoryCid, site);
  const merged = optMergeTransfer && transferOf(optMergeTransfer.choiceArg, optMergeTransfer.factoryCid, site);
  return {
    delegation,
    ...(merged && { merge: merged.argument }),
    ...(extra && {
      extra: { ...extra.argument, ...(extra.preapproval !== null && { preapproval: extra.preapproval }) },
    }),
    ...(optFeaturedAppRight && {
      activity: { right: optFeaturedAppRight.appRightCid, beneficiaries: optFeaturedAppRight.beneficiaries },
    }),
  };
}

type Merged = UpdateOf<'DelegatedHoldingsMerged'>;
type Call = Merged['detail']['calls'][number];

function callsOf(update: Merged, facts: LedgerFacts): BatchMerge['mergeCalls'] {
  const coins = coinsIn(update, facts);
  const left = new Map<string, ContractId[]>();
  for (const id of coins) {
    const owner = ownerOf(id, facts);
    left.set(owner, [...(left.get(owner) ?? []), id]);
  }
  return update.detail.calls.map((call) => {
    const extraCoins = call.extra > 0n && call.owner !== update.detail.operator ? 1 : 0;
    const inputs = left.get(call.owner)?.splice(0, call.inputs - extraCoins) ?? [];
    const terms = { sender: call.owner, receiver: call.owner, amount: Amount.sub(call.amount, call.extra), inputs };
    const choiceArg = transferArgumentOf({ ...terms, at: update.recordTime }, facts);
    return {
      delegationCid: call.delegation,
      choiceArg: {
        optMergeTransfer: call.inputs === 0 ? null : { factoryCid: facts.factory, choiceArg },
        optExtraTransfer: null,
        optFeaturedAppRight: null,
      },
    };
  });
}

const NO_MERGE: Merge = { optMergeTransfer: null, optExtraTransfer: null, optFeaturedAppRight: null };

function mergeOf(call: Call, argument: Merge, operator: PartyId): Exercised {
  const inputs = argument.optMergeTransfer?.choiceArg.transfer.inputHoldingCids ?? [];
  return {
    choice: { on: onDelegation.on, name: 'MergeDelegation_Merge', isConsuming: false },
    contract: call.delegation,
    acting: [operator],
    argument: merge.write(argument),
    result: mergeResult(call),
    inner: mergeTransfer(argument, call).map((made) => ({ ...made, owns: new Set([...inputs, ...call.holdings]) })),
    owns: new Set(),
  };
}

/** Wallets recognise a merge in their history by this transfer. */
function mergeTransfer({ optMergeTransfer: made }: Merge, { owner, holdings }: Call): readonly Exercised[] {
  if (!made) return [];
  return [
    {
      choice: TRANSFER,
      contract: made.factoryCid,
      acting: [owner],
      argument: factoryTransfer.write(made.choiceArg),
      result: transferResult(completed(holdings), null),
    },
  ];
}

function ownerOf(id: ContractId, facts: LedgerFacts): string {
  const coin = facts.contract(id);
  return coin?.template === 'Holding' ? coin.owner : '';
}

function mergeResult({ holdings }: Call): Json {
  return { optMergeTransferResult: transferResult(completed(holdings), null) };
}
