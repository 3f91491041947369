import { utxoCountOf, type UpdateKind } from '@coinlab/core';
import { countOfTemplate } from '@coinlab/core/views';
import { expect } from 'vitest';
import {
  iso,
  MERGES,
  PING,
  PREAPPROVAL,
  PROPOSAL,
  RULES,
  type LedgerServer,
  type User,
} from './ledger-commands-fixture.ts';

const DAY = 86_400_000_000n;
const MINTS = '#splice-wallet:Splice.Wallet.MintingDelegation';
const OPERATOR = 'ledger-api-user';
/** Updates of each choice and create command that a test below has executed. */
export const executed: Set<string> = new Set();

/** Executes a choice for a user, and what must come before it; returns the kind of its update. */
export type Run = (ledger: LedgerServer, user: 'alice' | 'dave') => Promise<UpdateKind>;

async function done(ledger: LedgerServer, user: User, name: string, answered: ReturnType<LedgerServer['submit']>) {
  const update = ledger.updateOf(await answered);
  executed.add(name);
  expect(update.actAs).toEqual([ledger.partyOf(user)]);
  return update;
}

async function choose(
  ledger: LedgerServer,
  user: User,
  exercise: Parameters<LedgerServer['exercise']>[1],
): Promise<UpdateKind> {
  return (await done(ledger, user, exercise.choice, ledger.exercise(user, exercise))).kind;
}

async function create(
  ledger: LedgerServer,
  user: User,
  templateId: string,
  createArguments: object,
): Promise<UpdateKind> {
  const name = `create ${templateId.split(':').at(-1)}`;
  return (await done(ledger, user, name, ledger.create(user, { templateId, createArguments }))).kind;
}

export async function offered(ledger: LedgerServer, from: User, to: User): Promise<void> {
  await ledger.tap(from, '10');
  await choose(ledger, from, await ledger.transferOf(from, to, '4.5'));
}

export async function preapproved(ledger: LedgerServer, user: User): Promise<void> {
  await ledger.fund(OPERATOR, '100');
  await create(ledger, user, PROPOSAL, proposalOf(ledger, user));
  const { context, disclosed } = ledger.payment;
  await choose(ledger, OPERATOR, {
    templateId: PROPOSAL,
    contractId: ledger.idOf('TransferPreapprovalProposal'),
    choice: 'TransferPreapprovalProposal_Accept',
    choiceArgument: { context, inputs: ledger.inputs(OPERATOR), expiresAt: iso(ledger.server.now + 30n * DAY) },
    disclosedContracts: disclosed,
  });
}

function proposalOf(ledger: LedgerServer, user: User): object {
  return { receiver: ledger.partyOf(user), provider: ledger.server.validator, expectedDso: ledger.dso };
}

const ON_PREAPPROVAL = { templateId: PREAPPROVAL } as const;

async function proposedMerges(ledger: LedgerServer, user: User): Promise<void> {
  const delegation = { operator: ledger.server.validator, owner: ledger.partyOf(user), meta: { values: { a: 'b' } } };
  await create(ledger, user, `${MERGES}:MergeDelegationProposal`, { delegation });
}

export async function delegatedMerges(ledger: LedgerServer, user: User): Promise<void> {
  await proposedMerges(ledger, user);
  await choose(ledger, OPERATOR, onMerge(ledger, 'MergeDelegationProposal', 'Accept'));
}

export function onMerge(ledger: LedgerServer, template: 'MergeDelegationProposal' | 'MergeDelegation', step: string) {
  return {
    templateId: `${MERGES}:${template}`,
    contractId: ledger.idOf(template),
    choice: `${template}_${step}`,
    choiceArgument: {},
  };
}

export async function mergeCall(ledger: LedgerServer, user: User) {
  for (const amount of ['1', '2', '3']) await ledger.tap(user, amount);
  const { contractId, choiceArgument, disclosedContracts = [] } = await ledger.transferOf(user, user, '6');
  const choiceArg = { optMergeTransfer: { factoryCid: contractId, choiceArg: choiceArgument } };
  return { choiceArg, disclosedContracts };
}

async function proposedMints(ledger: LedgerServer, user: User): Promise<void> {
  const delegation = {
    beneficiary: ledger.partyOf(user),
    delegate: ledger.server.validator,
    dso: ledger.dso,
    expiresAt: iso(ledger.server.now + 30n * DAY),
    amuletMergeLimit: 10,
  };
  await create(ledger, user, `${MINTS}:MintingDelegationProposal`, { delegation });
}

function onMint(ledger: LedgerServer, template: 'MintingDelegationProposal' | 'MintingDelegation', step: string) {
  return {
    templateId: `${MINTS}:${template}`,
    contractId: ledger.idOf(template),
    choice: `${template}_${step}`,
    choiceArgument: {},
  };
}

const PROXY = '#splice-util-featured-app-proxies:Splice.Util.FeaturedApp.DelegateProxy:DelegateProxy';

async function featured(ledger: LedgerServer, user: User): Promise<void> {
  const rules = ledger.idOf('AmuletRules');
  await choose(ledger, user, {
    templateId: RULES,
    contractId: rules,
    choice: 'AmuletRules_DevNet_FeatureApp',
    choiceArgument: { provider: ledger.partyOf(user) },
    disclosedContracts: ledger.disclosing(rules),
  });
}

/** A user with a featured app right and a proxy for itself. */
export async function proxied(ledger: LedgerServer, user: User): Promise<void> {
  const provider = ledger.partyOf(user);
  await featured(ledger, user);
  await create(ledger, user, PROXY, { provider, delegate: provider });
}

/** A step of the newest transfer instruction, by the newest proxy. */
export async function proxyStepOf(ledger: LedgerServer, user: User, step: 'Accept' | 'Reject' | 'Withdraw') {
  const { contractId, choiceArgument, disclosedContracts = [] } = await ledger.stepOf(step);
  const right = ledger.idOf('FeaturedAppRight');
  return {
    templateId: PROXY,
    contractId: ledger.idOf('ForeignContract'),
    choice: `DelegateProxy_TransferInstruction_${step}`,
    choiceArgument: {
      cid: contractId,
      proxyArg: {
        featuredAppRightCid: right,
        beneficiaries: [{ beneficiary: ledger.partyOf(user), weight: 1 }],
        choiceArg: choiceArgument,
      },
    },
    disclosedContracts: [...disclosedContracts, ...ledger.disclosing(right)],
  };
}

/** Choices by the update that each becomes. */
export const RUNS: Readonly<Record<string, readonly [UpdateKind, Run]>> = {
  'a tap': ['Tapped', (ledger, user) => choose(ledger, user, ledger.tapOf(user, '5'))],
  'a featured app right': [
    'FeaturedAppRightGranted',
    (ledger, user) =>
      choose(ledger, user, {
        templateId: RULES,
        contractId: ledger.idOf('AmuletRules'),
        choice: 'AmuletRules_DevNet_FeatureApp',
        choiceArgument: { provider: ledger.partyOf(user) },
        disclosedContracts: ledger.disclosing(ledger.idOf('AmuletRules')),
      }),
  ],
  'a purchase of traffic': [
    'TrafficPurchased',
    async (ledger, user) => {
      await ledger.tap(user, '5000');
      const { amuletRules: _, context } = ledger.payment.context as { amuletRules: string; context: object };
      const { activeSynchronizer } = ledger.one('AmuletRules').config.traffic;
      return choose(ledger, user, {
        templateId: RULES,
        contractId: ledger.idOf('AmuletRules'),
        choice: 'AmuletRules_BuyMemberTraffic',
        choiceArgument: {
          context,
          inputs: ledger.inputs(user),
          provider: ledger.partyOf(user),
          memberId: ledger.server.participantId,
          synchronizerId: activeSynchronizer,
          migrationId: '0',
          trafficAmount: '200000',
          expectedDso: ledger.dso,
        },
        disclosedContracts: ledger.payment.disclosed,
      });
    },
  ],
  'a transfer to oneself': [
    'SelfTransferred',
    async (ledger, user) => {
      await ledger.tap(user, '5');
      return choose(ledger, user, await ledger.transferOf(user, user, '3'));
    },
  ],
  'a transfer to a receiver with a preapproval': [
    'TransferCompleted',
    async (ledger, user) => {
      await preapproved(ledger, 'bob');
      await ledger.tap(user, '5');
      return choose(ledger, user, await ledger.transferOf(user, 'bob', '3'));
    },
  ],
  'an offer': [
    'TransferOffered',
    async (ledger, user) => {
      await ledger.tap(user, '5');
      return choose(ledger, user, await ledger.transferOf(user, 'bob', '3'));
    },
  ],
  'an accepted offer': [
    'TransferAccepted',
    async (ledger, user) => {
      await offered(ledger, 'bob', user);
      return choose(ledger, user, await ledger.stepOf('Accept'));
    },
  ],
  'a rejected offer': [
    'TransferRejected',
    async (ledger, user) => {
      await offered(ledger, 'bob', user);
      return choose(ledger, user, await ledger.stepOf('Reject'));
    },
  ],
  'a withdrawn offer': [
    'TransferWithdrawn',
    async (ledger, user) => {
      await offered(ledger, user, 'bob');
      return choose(ledger, user, await ledger.stepOf('Withdraw'));
    },
  ],
  ...Object.fromEntries(
    (
      [
        ['Accept', 'TransferAccepted'],
        ['Reject', 'TransferRejected'],
        ['Withdraw', 'TransferWithdrawn'],
      ] as const
    ).map(([step, kind]): [string, [UpdateKind, Run]] => [
      `an offer that ends with ${step} through a proxy`,
      [
        kind,
        async (ledger, user) => {
          await proxied(ledger, user);
          if (step === 'Withdraw') await offered(ledger, user, 'bob');
          else await offered(ledger, 'bob', user);
          return choose(ledger, user, await proxyStepOf(ledger, user, step));
        },
      ],
    ]),
  ),
  'a proposal of a preapproval': [
    'PreapprovalProposed',
    (ledger, user) => create(ledger, user, PROPOSAL, proposalOf(ledger, user)),
  ],
  'an accepted proposal of a preapproval': [
    'PreapprovalCreated',
    async (ledger, user) => {
      await preapproved(ledger, user);
      return 'PreapprovalCreated';
    },
  ],
  'a renewed preapproval': [
    'PreapprovalRenewed',
    async (ledger, user) => {
      await preapproved(ledger, user);
      const { context, disclosed } = ledger.payment;
      return choose(ledger, OPERATOR, {
        ...ON_PREAPPROVAL,
        contractId: ledger.idOf('TransferPreapproval'),
        choice: 'TransferPreapproval_Renew',
        choiceArgument: { context, inputs: ledger.inputs(OPERATOR), newExpiresAt: iso(ledger.server.now + 60n * DAY) },
        disclosedContracts: disclosed,
      });
    },
  ],
  'a cancelled preapproval': [
    'PreapprovalCancelled',
    async (ledger, user) => {
      await preapproved(ledger, user);
      return choose(ledger, user, {
        ...ON_PREAPPROVAL,
        contractId: ledger.idOf('TransferPreapproval'),
        choice: 'TransferPreapproval_Cancel',
        choiceArgument: { p: ledger.partyOf(user) },
      });
    },
  ],
  'a payment through a preapproval': [
    'TransferCompleted',
    async (ledger, user) => {
      await preapproved(ledger, 'bob');
      await ledger.tap(user, '5');
      const { context, disclosed } = ledger.payment;
      const contractId = ledger.idOf('TransferPreapproval');
      return choose(ledger, user, {
        ...ON_PREAPPROVAL,
        contractId,
        choice: 'TransferPreapproval_Send',
        choiceArgument: { context, inputs: ledger.inputs(user), amount: 2.5, sender: ledger.partyOf(user) },
        disclosedContracts: [...disclosed, ...ledger.disclosing(contractId)],
      });
    },
  ],
  'a proposal of a merge delegation': [
    'MergeDelegationProposed',
    async (ledger, user) => {
      await proposedMerges(ledger, user);
      return 'MergeDelegationProposed';
    },
  ],
  'an accepted merge delegation': [
    'MergeDelegationAccepted',
    async (ledger, user) => {
      await proposedMerges(ledger, user);
      return choose(ledger, OPERATOR, onMerge(ledger, 'MergeDelegationProposal', 'Accept'));
    },
  ],
  'a rejected merge delegation proposal': [
    'MergeDelegationProposalRejected',
    async (ledger, user) => {
      await proposedMerges(ledger, user);
      return choose(ledger, OPERATOR, onMerge(ledger, 'MergeDelegationProposal', 'Reject'));
    },
  ],
  'a withdrawn merge delegation proposal': [
    'MergeDelegationProposalWithdrawn',
    async (ledger, user) => {
      await proposedMerges(ledger, user);
      return choose(ledger, user, onMerge(ledger, 'MergeDelegationProposal', 'Withdraw'));
    },
  ],
  'a rejected merge delegation': [
    'MergeDelegationRejected',
    async (ledger, user) => {
      await delegatedMerges(ledger, user);
      return choose(ledger, OPERATOR, onMerge(ledger, 'MergeDelegation', 'Reject'));
    },
  ],
  'a withdrawn merge delegation': [
    'MergeDelegationWithdrawn',
    async (ledger, user) => {
      await delegatedMerges(ledger, user);
      return choose(ledger, user, onMerge(ledger, 'MergeDelegation', 'Withdraw'));
    },
  ],
  'a delegated merge': [
    'DelegatedHoldingsMerged',
    async (ledger, user) => {
      await delegatedMerges(ledger, user);
      const { choiceArg, disclosedContracts } = await mergeCall(ledger, user);
      const merge = { ...onMerge(ledger, 'MergeDelegation', 'Merge'), choiceArgument: choiceArg, disclosedContracts };
      const kind = await choose(ledger, OPERATOR, merge);
      expect(utxoCountOf(ledger.server.state, ledger.partyOf(user))).toBe(1);
      return kind;
    },
  ],
  ...Object.fromEntries(
    ['BatchMergeUtility_BatchMerge', 'BatchMergeUtility_MergeHoldings'].map((choice): [string, [UpdateKind, Run]] => [
      `a batch of delegated merges by ${choice}`,
      [
        'DelegatedHoldingsMerged',
        async (ledger, user) => {
          for (const _ of ['first', 'second'])
            await create(ledger, OPERATOR, `${MERGES}:BatchMergeUtility`, { operator: ledger.server.validator });
          expect(countOfTemplate(ledger.server.state, 'BatchMergeUtility')).toBe(2);
          await delegatedMerges(ledger, user);
          const { choiceArg, disclosedContracts } = await mergeCall(ledger, user);
          return choose(ledger, OPERATOR, {
            templateId: `${MERGES}:BatchMergeUtility`,
            contractId: ledger.idOf('BatchMergeUtility'),
            choice,
            choiceArgument: { mergeCalls: [{ delegationCid: ledger.idOf('MergeDelegation'), choiceArg }] },
            disclosedContracts,
          });
        },
      ],
    ]),
  ),
  'an accepted minting delegation, which replaces the first': [
    'MintingDelegationAccepted',
    async (ledger, user) => {
      await proposedMints(ledger, user);
      await choose(ledger, OPERATOR, onMint(ledger, 'MintingDelegationProposal', 'Accept'));
      await proposedMints(ledger, user);
      const existingDelegationCid = ledger.idOf('MintingDelegation');
      const accept = onMint(ledger, 'MintingDelegationProposal', 'Accept');
      const kind = await choose(ledger, OPERATOR, { ...accept, choiceArgument: { existingDelegationCid } });
      expect(countOfTemplate(ledger.server.state, 'MintingDelegation')).toBe(1);
      return kind;
    },
  ],
  'a rejected minting delegation proposal': [
    'MintingDelegationProposalRejected',
    async (ledger, user) => {
      await proposedMints(ledger, user);
      return choose(ledger, OPERATOR, onMint(ledger, 'MintingDelegationProposal', 'Reject'));
    },
  ],
  'a withdrawn minting delegation proposal': [
    'MintingDelegationProposalWithdrawn',
    async (ledger, user) => {
      await proposedMints(ledger, user);
      return choose(ledger, user, onMint(ledger, 'MintingDelegationProposal', 'Withdraw'));
    },
  ],
  'a merge by the delegate of mints': [
    'MintedForBeneficiary',
    async (ledger, user) => {
      await proposedMints(ledger, user);
      await choose(ledger, OPERATOR, onMint(ledger, 'MintingDelegationProposal', 'Accept'));
      for (let i = 0; i < 12; i++) await ledger.tap(user, '1');
      const { context, disclosed } = ledger.payment;
      const inputs = ledger.inputs(user).slice(0, 3);
      const mint = onMint(ledger, 'MintingDelegation', 'Mint');
      return choose(ledger, OPERATOR, { ...mint, choiceArgument: { context, inputs }, disclosedContracts: disclosed });
    },
  ],
  'a rejected minting delegation': [
    'MintingDelegationRejected',
    async (ledger, user) => {
      await proposedMints(ledger, user);
      await choose(ledger, OPERATOR, onMint(ledger, 'MintingDelegationProposal', 'Accept'));
      return choose(ledger, OPERATOR, onMint(ledger, 'MintingDelegation', 'Reject'));
    },
  ],
  'a withdrawn minting delegation': [
    'MintingDelegationWithdrawn',
    async (ledger, user) => {
      await proposedMints(ledger, user);
      await choose(ledger, OPERATOR, onMint(ledger, 'MintingDelegationProposal', 'Accept'));
      return choose(ledger, user, onMint(ledger, 'MintingDelegation', 'Withdraw'));
    },
  ],
  'a ping and its archive': [
    'ForeignContractArchived',
    async (ledger, user) => {
      const ping = { id: 'p', initiator: ledger.partyOf(user), responder: ledger.partyOf('bob') };
      await create(ledger, user, PING, ping);
      expect(JSON.parse(ledger.one('ForeignContract').arguments)).toEqual(ping);
      const contractId = ledger.idOf('ForeignContract');
      return choose(ledger, user, { templateId: PING, contractId, choice: 'Archive', choiceArgument: {} });
    },
  ],
  'activity of a featured app, and the end of its right': [
    'FeaturedAppRightCancelled',
    async (ledger, user) => {
      const provider = ledger.partyOf(user);
      await featured(ledger, user);
      const contractId = ledger.idOf('FeaturedAppRight');
      await choose(ledger, user, {
        templateId: '#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight',
        contractId,
        choice: 'FeaturedAppRight_CreateActivityMarker',
        choiceArgument: { beneficiaries: [{ beneficiary: provider, weight: '1.0' }] },
      });
      return choose(ledger, user, {
        templateId: '#splice-amulet:Splice.Amulet:FeaturedAppRight',
        contractId,
        choice: 'FeaturedAppRight_Cancel',
        choiceArgument: {},
      });
    },
  ],
  ...Object.fromEntries(
    (
      [
        ['Accept', 'ExternalPartySetupAccepted'],
        ['Reject', 'ExternalPartySetupRejected'],
        ['Withdraw', 'ExternalPartySetupWithdrawn'],
      ] as const
    ).map(([step, kind]): [string, [UpdateKind, Run]] => [
      `a setup proposal that ends with ${step}`,
      [
        kind,
        async (ledger, user) => {
          await ledger.fund(OPERATOR, '100');
          const { context, disclosed } = ledger.payment;
          await choose(ledger, OPERATOR, {
            templateId: RULES,
            contractId: ledger.idOf('AmuletRules'),
            choice: 'AmuletRules_CreateExternalPartySetupProposal',
            choiceArgument: {
              context,
              inputs: ledger.inputs(OPERATOR),
              user: ledger.partyOf(user),
              validator: ledger.server.validator,
              preapprovalExpiresAt: iso(ledger.server.now + 30n * DAY),
              expectedDso: ledger.dso,
            },
            disclosedContracts: disclosed,
          });
          return choose(ledger, step === 'Withdraw' ? OPERATOR : user, {
            templateId: '#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal',
            contractId: ledger.idOf('ExternalPartySetupProposal'),
            choice: `ExternalPartySetupProposal_${step}`,
            choiceArgument: step === 'Accept' ? {} : { reason: 'test' },
          });
        },
      ],
    ]),
  ),
};
