import {
  Amount,
  ContractId,
  Duration,
  genesisConfig,
  Instant,
  openLedger,
  PartyId,
  rulesOf,
  settingsOf,
  type Contract,
  type ContractOf,
  type LedgerState,
  type Round,
  type Update,
} from '@coinlab/core';
import { ANS_CONFIG, DSO_CONFIG } from '@coinlab/core/rules';
import { TEMPLATES, TEMPLATE_NAMES, type GovernanceAction } from '@coinlab/core/contracts';
import {
  isOfNetwork,
  payloadOf,
  symbolicIdOf,
  templateIdOf,
  wantedTemplate,
  type NetworkContract,
  type NetworkTemplate,
} from '@coinlab/http';
import { describe, expect, it } from 'vitest';

const dso = PartyId.of('DSO');
const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const carol = PartyId.of('carol');
const cid = ContractId.of(77);
const hex = ContractId.format(cid);
const amount = Amount.of('12.5');
const at = Instant.of('2026-04-28T18:25:45.568596Z');
const time = '2026-04-28T18:25:45.568596Z';
const round = 20 as Round;
const number = { number: '20' };
const tick = { microseconds: '600000000' };
const config = genesisConfig('feeless');
const { state } = openLedger();

type Sample<Name extends NetworkTemplate> = Omit<ContractOf<Name>, 'id' | 'template'>;
interface Expected {
  /** `#package:Module:Entity` */
  readonly id: string;
  readonly payload: object;
}
const samples: (readonly [name: string, contract: NetworkContract, expected: Expected])[] = [];

/** Adds a contract with its template id and its expected payload. */
function sample<Name extends NetworkTemplate>(template: Name, fields: Sample<Name>, id: string, payload: object): void {
  const contract = { template, id: ContractId.of(5), ...fields } as unknown as NetworkContract;
  samples.push([id.slice(id.lastIndexOf(':') + 1), contract, { id, payload }]);
}

const AMULET = '#splice-amulet:Splice.Amulet:';
const amulet = {
  dso,
  owner: alice,
  amount: { initialAmount: '12.5', createdAt: number, ratePerRound: { rate: '0.00380518' } },
};
const coin = { owner: alice, amount, createdAt: round, ratePerRound: Amount.of('0.00380518') };
sample('Holding', { ...coin, lock: null }, `${AMULET}Amulet`, amulet);
sample('Holding', { ...coin, lock: { holders: [dso], expiresAt: at, context: null } }, `${AMULET}LockedAmulet`, {
  amulet,
  lock: { holders: [dso], expiresAt: time, optContext: null },
});
sample('ValidatorRight', { user: alice, validator: bob }, `${AMULET}ValidatorRight`, {
  dso,
  user: alice,
  validator: bob,
});
sample('FeaturedAppRight', { provider: bob }, `${AMULET}FeaturedAppRight`, { dso, provider: bob });
sample(
  'FeaturedAppActivityMarker',
  { provider: bob, beneficiary: carol, weight: Amount.one },
  `${AMULET}FeaturedAppActivityMarker`,
  { dso, provider: bob, beneficiary: carol, weight: '1.0' },
);
sample(
  'AppRewardCoupon',
  { provider: bob, featured: true, amount, round, beneficiary: null },
  `${AMULET}AppRewardCoupon`,
  { dso, provider: bob, featured: true, amount: '12.5', round: number, beneficiary: null },
);
sample('ValidatorRewardCoupon', { user: alice, amount, round }, `${AMULET}ValidatorRewardCoupon`, {
  dso,
  user: alice,
  amount: '12.5',
  round: number,
});
sample('SvRewardCoupon', { sv: bob, beneficiary: carol, round, weight: 3 }, `${AMULET}SvRewardCoupon`, {
  dso,
  sv: bob,
  beneficiary: carol,
  round: number,
  weight: '3',
});
sample('UnclaimedReward', { amount }, `${AMULET}UnclaimedReward`, { dso, amount: '12.5' });
sample(
  'UnclaimedActivityRecord',
  { beneficiary: carol, amount, reason: 'late', expiresAt: at },
  `${AMULET}UnclaimedActivityRecord`,
  { dso, beneficiary: carol, amount: '12.5', reason: 'late', expiresAt: time },
);
sample(
  'DevelopmentFundCoupon',
  { beneficiary: carol, fundManager: bob, amount, reason: 'work', expiresAt: at },
  `${AMULET}DevelopmentFundCoupon`,
  { dso, beneficiary: carol, fundManager: bob, amount: '12.5', reason: 'work', expiresAt: time },
);
sample('UnclaimedDevelopmentFundCoupon', { amount }, `${AMULET}UnclaimedDevelopmentFundCoupon`, {
  dso,
  amount: '12.5',
});

const RULES = '#splice-amulet:Splice.AmuletRules:';
const transferConfigUsd = {
  createFee: { fee: '0.0' },
  holdingFee: { rate: '0.0000190259' },
  transferFee: {
    initialRate: '0.0',
    steps: ['100.0', '1000.0', '1000000.0'].map((_1) => ({ _1, _2: '0.0' })),
  },
  lockHolderFee: { fee: '0.0' },
  extraFeaturedAppRewardAmount: '1.0',
  maxNumInputs: '100',
  maxNumOutputs: '100',
  maxNumLockHolders: '50',
  tokenStandardMaxTTL: null,
};
const issuance = (amuletToIssuePerYear: string, validatorRewardPercentage: string, appRewardPercentage: string) => ({
  amuletToIssuePerYear,
  validatorRewardPercentage,
  appRewardPercentage,
  validatorRewardCap: '0.2',
  featuredAppRewardCap: '100.0',
  unfeaturedAppRewardCap: '0.6',
  optValidatorFaucetCap: '2.85',
  optDevelopmentFundPercentage: Amount.short(
    config.issuanceCurve[0]?.issuance.developmentFundPercentage ?? Amount.zero,
  ),
});
const segments = [
  ['15768000000000', '20000000000.0', '0.12', '0.4'],
  ['47304000000000', '10000000000.0', '0.18', '0.62'],
  ['157680000000000', '5000000000.0', '0.21', '0.69'],
  ['315360000000000', '2500000000.0', '0.2', '0.75'],
] as const;
const amuletConfig = {
  transferConfig: transferConfigUsd,
  issuanceCurve: {
    initialValue: issuance('40000000000.0', '0.05', '0.15'),
    futureValues: segments.map(([microseconds, year, validators, apps]) => ({
      _1: { microseconds },
      _2: issuance(year, validators, apps),
    })),
  },
  decentralizedSynchronizer: {
    requiredSynchronizers: { map: [[config.traffic.activeSynchronizer, {}]] },
    activeSynchronizer: config.traffic.activeSynchronizer,
    fees: {
      baseRateTrafficLimits: { burstAmount: '400000', burstWindow: { microseconds: '1200000000' } },
      extraTrafficPrice: '16.67',
      readVsWriteScalingFactor: '4',
      minTopupAmount: '200000',
    },
  },
  tickDuration: tick,
  packageConfig: {
    amulet: '0.1.14',
    amuletNameService: '0.1.14',
    dsoGovernance: '0.1.14',
    validatorLifecycle: '0.1.14',
    wallet: '0.1.14',
    walletPayments: '0.1.14',
  },
  transferPreapprovalFee: '0.00274',
  featuredAppActivityMarkerAmount: '1.0',
  optDevelopmentFundManager: null,
  externalPartyConfigStateTickDuration: { microseconds: '86400000000' },
  rewardConfig: null,
  transferPreapprovalBaseDuration: null,
  developmentFundManagerBlacklist: null,
  minDevelopmentFundMintingDelay: null,
  amuletSwitchOverTimes: null,
  validatorRewardConfig: null,
};
sample('AmuletRules', { isDevNet: true, config }, `${RULES}AmuletRules`, {
  dso,
  configSchedule: { initialValue: amuletConfig, futureValues: [] },
  isDevNet: true,
  contractStateSchemaVersion: null,
});
sample(
  'TransferPreapproval',
  { receiver: alice, provider: bob, validFrom: at, lastRenewedAt: at, expiresAt: at },
  `${RULES}TransferPreapproval`,
  { dso, receiver: alice, provider: bob, validFrom: time, lastRenewedAt: time, expiresAt: time },
);
sample(
  'ExternalPartySetupProposal',
  { validator: bob, user: alice, createdAt: at, preapprovalExpiresAt: at },
  `${RULES}ExternalPartySetupProposal`,
  { validator: bob, user: alice, dso, createdAt: time, preapprovalExpiresAt: time },
);

const EXTERNAL = '#splice-amulet:Splice.ExternalPartyAmuletRules:';
sample('ExternalPartyAmuletRules', {}, `${EXTERNAL}ExternalPartyAmuletRules`, { dso });
sample(
  'TransferCommand',
  { sender: alice, receiver: bob, delegate: carol, amount, expiresAt: at, nonce: 4, description: null },
  `${EXTERNAL}TransferCommand`,
  {
    dso,
    sender: alice,
    receiver: bob,
    delegate: carol,
    amount: '12.5',
    expiresAt: time,
    nonce: '4',
    description: null,
  },
);
sample('TransferCommandCounter', { sender: alice, nextNonce: 5 }, `${EXTERNAL}TransferCommandCounter`, {
  dso,
  sender: alice,
  nextNonce: '5',
});
sample(
  'TransferInstruction',
  {
    lockedHolding: cid,
    transfer: {
      sender: alice,
      receiver: bob,
      amount,
      requestedAt: at,
      executeBefore: at,
      meta: { 'splice.lfdecentralizedtrust.org/reason': 'rent' },
    },
  },
  '#splice-amulet:Splice.AmuletTransferInstruction:AmuletTransferInstruction',
  {
    lockedAmulet: hex,
    transfer: {
      sender: alice,
      receiver: bob,
      amount: '12.5',
      instrumentId: { admin: dso, id: 'Amulet' },
      requestedAt: time,
      executeBefore: time,
      inputHoldingCids: [hex],
      meta: { values: { 'splice.lfdecentralizedtrust.org/reason': 'rent' } },
    },
  },
);

const ROUND = '#splice-amulet:Splice.Round:';
const issuanceConfig = config.issuanceCurve[0]?.issuance;
if (!issuanceConfig) throw new Error('the curve has a first segment');
sample(
  'OpenMiningRound',
  {
    round,
    amuletPrice: Amount.of('0.005'),
    opensAt: at,
    targetClosesAt: at,
    issuingFor: Duration.minutes(10),
    transferConfigUsd: config.transferConfigUsd,
    issuanceConfig,
    tickDuration: Duration.minutes(10),
  },
  `${ROUND}OpenMiningRound`,
  {
    dso,
    round: number,
    amuletPrice: '0.005',
    opensAt: time,
    targetClosesAt: time,
    issuingFor: tick,
    transferConfigUsd,
    issuanceConfig: amuletConfig.issuanceCurve.initialValue,
    tickDuration: tick,
  },
);
sample(
  'SummarizingMiningRound',
  { round, amuletPrice: Amount.of('0.005'), issuanceConfig, tickDuration: Duration.minutes(10) },
  `${ROUND}SummarizingMiningRound`,
  {
    dso,
    round: number,
    amuletPrice: '0.005',
    issuanceConfig: amuletConfig.issuanceCurve.initialValue,
    tickDuration: tick,
  },
);
const figures = {
  perValidatorRewardCoupon: Amount.of('0.2'),
  perFeaturedAppRewardCoupon: Amount.of('100'),
  perUnfeaturedAppRewardCoupon: Amount.of('0.6'),
  perSvRewardCoupon: Amount.of('3.25'),
  perValidatorFaucetCoupon: Amount.of('570'),
};
const figuresPayload = {
  issuancePerValidatorRewardCoupon: '0.2',
  issuancePerFeaturedAppRewardCoupon: '100.0',
  issuancePerUnfeaturedAppRewardCoupon: '0.6',
  issuancePerSvRewardCoupon: '3.25',
  optIssuancePerValidatorFaucetCoupon: '570.0',
};
sample('IssuingMiningRound', { round, ...figures, opensAt: at, targetClosesAt: at }, `${ROUND}IssuingMiningRound`, {
  dso,
  round: number,
  ...figuresPayload,
  opensAt: time,
  targetClosesAt: time,
});
sample('ClosedMiningRound', { round, ...figures }, `${ROUND}ClosedMiningRound`, {
  dso,
  round: number,
  ...figuresPayload,
});
sample(
  'ExternalPartyConfigState',
  {
    holdingFeesOpenRound: round,
    amuletPrice: Amount.of('0.005'),
    transferConfigUsd: config.transferConfigUsd,
    targetArchiveAfter: at,
  },
  '#splice-amulet:Splice.ExternalPartyConfigState:ExternalPartyConfigState',
  { dso, holdingFeesOpenRound: number, amuletPrice: '0.005', transferConfigUsd, targetArchiveAfter: time },
);

const LICENSE = '#splice-amulet:Splice.ValidatorLicense:';
sample(
  'ValidatorLicense',
  {
    validator: alice,
    sponsor: bob,
    faucetState: { firstReceivedFor: round, lastReceivedFor: round, couponsMissed: 2 },
    metadata: { lastUpdatedAt: at, version: '0.6.1', contactPoint: 'a@b.c' },
    lastActiveAt: at,
  },
  `${LICENSE}ValidatorLicense`,
  {
    validator: alice,
    sponsor: bob,
    dso,
    faucetState: { firstReceivedFor: number, lastReceivedFor: number, numCouponsMissed: '2' },
    metadata: { lastUpdatedAt: time, version: '0.6.1', contactPoint: 'a@b.c' },
    lastActiveAt: time,
  },
);
sample(
  'ValidatorLicense',
  { validator: alice, sponsor: bob, faucetState: null, metadata: null, lastActiveAt: null },
  `${LICENSE}ValidatorLicense`,
  { validator: alice, sponsor: bob, dso, faucetState: null, metadata: null, lastActiveAt: null },
);
for (const template of ['ValidatorFaucetCoupon', 'ValidatorLivenessActivityRecord'] as const)
  sample(template, { validator: alice, round }, `${LICENSE}${template}`, { dso, validator: alice, round: number });

const memberId = 'PAR::participant::1220ab';
const member = { memberId, synchronizerId: 'global-domain::1220', migrationId: 0 };
const memberPayload = { ...member, migrationId: '0' };
sample(
  'MemberTraffic',
  { ...member, totalPurchasedBytes: 200_000, numPurchases: 1, amuletSpent: amount, usdSpent: Amount.of('3.334') },
  '#splice-amulet:Splice.DecentralizedSynchronizer:MemberTraffic',
  { dso, ...memberPayload, totalPurchased: '200000', numPurchases: '1', amuletSpent: '12.5', usdSpent: '3.334' },
);
sample(
  'BuyTrafficRequest',
  { ...member, endUser: alice, expiresAt: at, trackingId: 't', trafficBytes: 200_000 },
  '#splice-wallet:Splice.Wallet.BuyTrafficRequest:BuyTrafficRequest',
  { dso, endUserParty: alice, expiresAt: time, trackingId: 't', trafficAmount: '200000', ...memberPayload },
);
sample(
  'ValidatorTopUpState',
  { ...member, validator: alice, lastPurchasedAt: at },
  '#splice-wallet:Splice.Wallet.TopUpState:ValidatorTopUpState',
  { dso, validator: alice, ...memberPayload, lastPurchasedAt: time },
);
sample(
  'WalletAppInstall',
  { validator: bob, endUserName: 'alice', endUser: alice },
  '#splice-wallet:Splice.Wallet.Install:WalletAppInstall',
  { dsoParty: dso, validatorParty: bob, endUserName: 'alice', endUserParty: alice },
);
sample(
  'TransferOffer',
  { sender: alice, receiver: bob, amount, unit: 'coin', expiresAt: at, trackingId: 't', description: 'rent' },
  '#splice-wallet:Splice.Wallet.TransferOffer:TransferOffer',
  {
    sender: alice,
    receiver: bob,
    dso,
    amount: { amount: '12.5', unit: 'AmuletUnit' },
    expiresAt: time,
    trackingId: 't',
    description: 'rent',
  },
);
sample(
  'AcceptedTransferOffer',
  { sender: alice, receiver: bob, amount, unit: 'usd', expiresAt: at, trackingId: 't' },
  '#splice-wallet:Splice.Wallet.TransferOffer:AcceptedTransferOffer',
  {
    sender: alice,
    receiver: bob,
    dso,
    amount: { amount: '12.5', unit: 'USDUnit' },
    expiresAt: time,
    trackingId: 't',
  },
);
sample(
  'TransferPreapprovalProposal',
  { receiver: alice, provider: bob },
  '#splice-wallet:Splice.Wallet.TransferPreapproval:TransferPreapprovalProposal',
  { receiver: alice, provider: bob, expectedDso: dso },
);
const minting = { beneficiary: alice, delegate: bob, expiresAt: at, amuletMergeLimit: 10 };
const mintingPayload = { beneficiary: alice, delegate: bob, dso, expiresAt: time, amuletMergeLimit: '10' };
sample(
  'MintingDelegationProposal',
  minting,
  '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegationProposal',
  { delegation: mintingPayload },
);
sample(
  'MintingDelegation',
  minting,
  '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegation',
  mintingPayload,
);
const MERGE = '#splice-util-token-standard-wallet:Splice.Util.Token.Wallet.MergeDelegation:';
const merging = { operator: bob, owner: alice, meta: { k: 'v' } };
const mergingPayload = { operator: bob, owner: alice, meta: { values: { k: 'v' } } };
sample('MergeDelegationProposal', merging, `${MERGE}MergeDelegationProposal`, { delegation: mergingPayload });
sample('MergeDelegation', merging, `${MERGE}MergeDelegation`, mergingPayload);
sample('BatchMergeUtility', { operator: bob }, `${MERGE}BatchMergeUtility`, { operator: bob });

const ANS = '#splice-amulet-name-service:Splice.Ans:';
const ansConfig = {
  renewalDuration: { microseconds: '2592000000000' },
  entryLifetime: { microseconds: '7776000000000' },
  entryFee: '1.0',
  descriptionPrefix: ANS_CONFIG.descriptionPrefix,
};
sample('AnsRules', { config: ANS_CONFIG }, `${ANS}AnsRules`, { dso, config: ansConfig });
const entry = { user: alice, name: 'alice.cns', url: 'https://a.b', description: 'me' };
sample('AnsEntry', { ...entry, expiresAt: at }, `${ANS}AnsEntry`, { ...entry, dso, expiresAt: time });
sample('AnsEntryContext', { ...entry, reference: cid }, `${ANS}AnsEntryContext`, { ...entry, dso, reference: hex });
const SUBSCRIPTIONS = '#splice-wallet-payments:Splice.Wallet.Subscriptions:';
const terms = {
  sender: alice,
  description: 'a name',
  paymentUsd: Amount.one,
  paymentInterval: Duration.days(90),
  paymentDuration: Duration.days(30),
};
const termsPayload = {
  subscriptionData: { sender: alice, receiver: dso, provider: dso, dso, description: 'a name' },
  payData: {
    paymentAmount: { amount: '1.0', unit: 'USDUnit' },
    paymentInterval: { microseconds: '7776000000000' },
    paymentDuration: { microseconds: '2592000000000' },
  },
};
sample('SubscriptionRequest', { terms }, `${SUBSCRIPTIONS}SubscriptionRequest`, termsPayload);
const paid = { terms, reference: cid, lockedHolding: cid, lockedUntil: at };
const paidPayload = { ...termsPayload, targetAmount: null, lockedAmulet: hex, round: null, reference: hex };
sample('SubscriptionPayment', { ...paid, dueAt: null }, `${SUBSCRIPTIONS}SubscriptionInitialPayment`, paidPayload);
sample('SubscriptionPayment', { ...paid, dueAt: at }, `${SUBSCRIPTIONS}SubscriptionPayment`, {
  ...paidPayload,
  subscription: hex,
  thisPaymentDueAt: time,
});
sample(
  'SubscriptionIdleState',
  { terms, reference: cid, nextPaymentDueAt: at },
  `${SUBSCRIPTIONS}SubscriptionIdleState`,
  { ...termsPayload, subscription: hex, nextPaymentDueAt: time, reference: hex },
);

const DSO_RULES = '#splice-dso-governance:Splice.DsoRules:';
const dsoConfig = {
  numUnclaimedRewardsThreshold: String(DSO_CONFIG.mergeUnclaimedRewardsAbove),
  numMemberTrafficContractsThreshold: String(DSO_CONFIG.mergeMemberTrafficAbove),
  voteRequestTimeout: { microseconds: '604800000000' },
  voteCooldownTime: { microseconds: Duration.format(DSO_CONFIG.voteCooldown) },
};
const sv = { party: bob, name: 'sv-1', joinedAsOfRound: round, rewardWeight: 100, participantId: memberId };
sample('DsoRules', { epoch: 2, svs: [sv], offboardedSvs: [], config: DSO_CONFIG }, `${DSO_RULES}DsoRules`, {
  dso,
  epoch: '2',
  svs: [[bob, { name: 'sv-1', joinedAsOfRound: number, svRewardWeight: '100', participantId: memberId }]],
  offboardedSvs: [],
  dsoDelegate: bob,
  config: dsoConfig,
  initialTrafficState: [],
  isDevNet: true,
});
const reason = { url: 'https://a.b', body: 'because' };
const ask = { requester: 'sv-1', reason, voteBefore: at, votes: [], trackingCid: null, targetEffectiveAt: null };
const askPayload = {
  dso,
  requester: 'sv-1',
  reason,
  voteBefore: time,
  votes: [],
  trackingCid: null,
  targetEffectiveAt: null,
};
const arcDso = (tag: string, value: object): object => ({
  tag: 'ARC_DsoRules',
  value: { dsoAction: { tag, value } },
});
const actions: readonly (readonly [GovernanceAction, object])[] = [
  [
    { type: 'SetAmuletConfig', baseConfig: config, newConfig: config },
    {
      tag: 'ARC_AmuletRules',
      value: {
        amuletRulesAction: { tag: 'CRARC_SetConfig', value: { newConfig: amuletConfig, baseConfig: amuletConfig } },
      },
    },
  ],
  [
    { type: 'SetAnsConfig', baseConfig: ANS_CONFIG, newConfig: ANS_CONFIG },
    {
      tag: 'ARC_AnsRules',
      value: { ansRulesAction: { tag: 'ANSRARC_SetConfig', value: { newConfig: ansConfig, baseConfig: ansConfig } } },
    },
  ],
  [
    { type: 'SetDsoConfig', baseConfig: DSO_CONFIG, newConfig: DSO_CONFIG },
    arcDso('SRARC_SetConfig', { newConfig: dsoConfig, baseConfig: dsoConfig }),
  ],
  [
    { type: 'AddSv', party: carol, name: 'sv-2', rewardWeight: 7, participantId: memberId },
    arcDso('SRARC_AddSv', {
      newSvParty: carol,
      newSvName: 'sv-2',
      newSvRewardWeight: '7',
      newSvParticipantId: memberId,
      joinedAsOfRound: null,
    }),
  ],
  [{ type: 'OffboardSv', party: carol }, arcDso('SRARC_OffboardSv', { sv: carol })],
  [
    { type: 'SetSvRewardWeight', party: carol, rewardWeight: 9 },
    arcDso('SRARC_UpdateSvRewardWeight', { svParty: carol, newRewardWeight: '9' }),
  ],
  [{ type: 'GrantFeaturedAppRight', provider: alice }, arcDso('SRARC_GrantFeaturedAppRight', { provider: alice })],
  [{ type: 'RevokeFeaturedAppRight', right: cid }, arcDso('SRARC_RevokeFeaturedAppRight', { rightCid: hex })],
  [
    { type: 'AllocateUnclaimedActivityRecord', beneficiary: alice, amount, reason: 'late', expiresAt: at },
    arcDso('SRARC_CreateUnallocatedUnclaimedActivityRecord', {
      beneficiary: alice,
      amount: '12.5',
      reason: 'late',
      expiresAt: time,
    }),
  ],
];
for (const [action, payload] of actions)
  sample('VoteRequest', { ...ask, action }, `${DSO_RULES}VoteRequest`, { ...askPayload, action: payload });
sample(
  'VoteRequest',
  {
    ...ask,
    action: { type: 'OffboardSv', party: carol },
    votes: [{ sv: bob, name: 'sv-1', accept: true, reason, castAt: at }],
    trackingCid: cid,
    targetEffectiveAt: at,
  },
  `${DSO_RULES}VoteRequest`,
  {
    ...askPayload,
    action: arcDso('SRARC_OffboardSv', { sv: carol }),
    votes: [['sv-1', { sv: bob, accept: true, reason, optCastAt: time }]],
    trackingCid: hex,
    targetEffectiveAt: time,
  },
);
sample(
  'AmuletPriceVote',
  { sv: bob, amuletPrice: null, lastUpdatedAt: at },
  '#splice-dso-governance:Splice.DSO.AmuletPrice:AmuletPriceVote',
  { dso, sv: bob, amuletPrice: null, lastUpdatedAt: time },
);
sample(
  'SvRewardState',
  { sv: bob, lastRoundCollected: round, roundsCollected: 8, roundsMissed: 1, couponsIssued: 16 },
  '#splice-dso-governance:Splice.DSO.SvState:SvRewardState',
  {
    dso,
    svName: bob,
    state: { numRoundsMissed: '1', numRoundsCollected: '8', lastRoundCollected: number, numCouponsIssued: '16' },
  },
);

sample(
  'ForeignContract',
  {
    templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
    arguments: '{"id":"1","initiator":"a"}',
    signatories: [bob],
    observers: [],
  },
  '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
  { id: '1', initiator: 'a' },
);

/** A state with this contract, created by a hand-made update. */
function withContract(contract: Contract): LedgerState {
  const ledger = openLedger({ laws: [] });
  const [last] = ledger.updates().slice(-1);
  const update = {
    ...last,
    offset: ledger.state.offset + 1,
    archived: [],
    created: [contract],
    detail: {
      ...last?.detail,
      minted: contract.template === 'Holding' ? contract.amount : Amount.zero,
      burned: Amount.zero,
    },
  } as unknown as Update;
  return ledger.apply(update).state;
}

describe('a payload', () => {
  it.each(samples)("of a %s has the fields of the network's template", (_, contract, { payload }) => {
    expect(payloadOf(contract, state)).toEqual(payload);
  });

  it('is defined for every template except records', () => {
    const printed = new Set(samples.map(([, { template }]) => template as string));
    expect([...printed].sort()).toEqual(TEMPLATE_NAMES.filter((name) => !TEMPLATES[name].isRecord).toSorted());
  });

  it('of a subscription payment has the amount and the round of its locked coin', () => {
    const lock = { holders: [dso], expiresAt: at, context: null };
    const locked = { template: 'Holding', id: cid, ...coin, lock } as const;
    const payment = { template: 'SubscriptionPayment', id: ContractId.of(90), ...paid, dueAt: at } as const;
    expect(payloadOf(payment, withContract(locked))).toMatchObject({ targetAmount: '12.5', round: number });
  });

  it('of an SvRewardState has the name of the super validator', () => {
    const known = withContract({
      template: 'DsoRules',
      id: cid,
      epoch: 0,
      svs: [sv],
      offboardedSvs: [],
      config: DSO_CONFIG,
    });
    const rewards = { lastRoundCollected: round, roundsCollected: 8, roundsMissed: 1, couponsIssued: 16 };
    const reward = { template: 'SvRewardState', id: ContractId.of(90), sv: bob, ...rewards } as const;
    expect(payloadOf(reward, known)).toMatchObject({ svName: 'sv-1' });
  });

  it('of rules with worthless markers has the marker amount 0.0, because null would mean one dollar', () => {
    const rules = {
      template: 'AmuletRules',
      id: cid,
      isDevNet: false,
      config: { ...config, featuredAppActivityMarkerAmountUsd: null },
    } as const;
    expect(payloadOf(rules, state)).toMatchObject({
      configSchedule: { initialValue: { featuredAppActivityMarkerAmount: '0.0' } },
    });
  });

  it('of rules with fees has the steps of the transfer fee', () => {
    const rules = rulesOf(openLedger({ profile: 'legacy-fees' }).state);
    expect(rules && payloadOf(rules, state)).toMatchObject({
      configSchedule: {
        initialValue: {
          transferConfig: {
            createFee: { fee: '0.03' },
            transferFee: {
              initialRate: '0.01',
              steps: [
                { _1: '100.0', _2: '0.001' },
                { _1: '1000.0', _2: '0.0001' },
                { _1: '1000000.0', _2: '0.00001' },
              ],
            },
          },
        },
      },
    });
  });
});

describe('a template id', () => {
  it.each(samples)(
    'of a %s has package, module and entity, and is parsed in both forms',
    (entity, contract, { id }) => {
      expect(symbolicIdOf(contract)).toBe(id);
      expect(templateIdOf(contract)).toMatch(/^[0-9a-f]{64}:[\w.]+:\w+$/);
      expect(templateIdOf(contract).slice(64)).toBe(id.slice(id.indexOf(':')));
      for (const text of [symbolicIdOf(contract), templateIdOf(contract)])
        expect(wantedTemplate(text)).toEqual({ template: contract.template, entity });
    },
  );

  it('of the coin is the id of the public release', () => {
    const first = samples[0]?.[1];
    expect(first && templateIdOf(first)).toBe(
      '3ca1343ab26b453d38c8adb70dca5f1ead8440c42b59b68f070786955cbf9ec1:Splice.Amulet:Amulet',
    );
  });

  it.each([
    '',
    'Amulet',
    'Splice.Amulet:Amulet',
    '#splice-amulet:Splice.Amulet:Holding',
    '#splice-wallet:Splice.Amulet:Amulet',
    `${'0'.repeat(64)}:Splice.Amulet:Amulet`,
    '#splice-amulet:Splice.Amulet:LedgerSettings',
  ])('is unknown when the text is %j', (text) => {
    expect(wantedTemplate(text)).toBeNull();
  });

  it('is defined for contracts, not for records', () => {
    expect(isOfNetwork(settingsOf(state))).toBe(false);
    expect(samples.every(([, contract]) => isOfNetwork(contract))).toBe(true);
  });
});
