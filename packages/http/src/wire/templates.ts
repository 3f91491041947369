import { createHash } from 'node:crypto';
import { TEMPLATES } from '@coinlab/core/contracts';
import type { Contract, TemplateName } from '@coinlab/core';
import { INTERFACE_PACKAGES } from './ledger/interface-packages.js';

/** Contracts of this ledger that the network does not have. */
type RecordName =
  | 'LedgerSettings'
  | 'KnownParty'
  | 'KnownPartiesRequired'
  | 'MemberTrafficBalance'
  | 'TrackingRecord'
  | 'LedgerUser'
  | 'PartyAnnotations'
  | 'UploadedDar'
  | 'ExternalPartyKey'
  | 'ExecutedTransaction'
  | 'SubmittedCommand';

/** Names of the network's templates. */
export type NetworkTemplate = Exclude<TemplateName, RecordName>;

/** A contract of the network: any contract except records. */
export type NetworkContract = Extract<Contract, { readonly template: NetworkTemplate }>;

export interface TemplatePlace {
  readonly packageName: string;
  readonly qualifiedName: string;
  readonly templateId: string;
  readonly symbolicId: string;
}

/** A template of the core and its entity in the network. Holding and SubscriptionPayment have two entities each. */
export interface WantedTemplate {
  readonly template: NetworkTemplate;
  /** Entity of the network, such as `LockedAmulet`. */
  readonly entity: string;
}

/**
 * The id of the public release where it is known, else the SHA-256 of the name, because ids have 64 hex digits.
 * Source: specification of the API §11.1.
 */
export const PACKAGE_IDS: Readonly<Record<string, string>> = {
  'splice-amulet': '3ca1343ab26b453d38c8adb70dca5f1ead8440c42b59b68f070786955cbf9ec1',
  'splice-wallet': '690c1d47bac06db419db344d59a7a30c53fa3f5d961943fe1782cfc6c78794d8',
  'splice-wallet-payments': '45b29d6e05b5352c39edde850c66b4535c682b9991b06eec312176b1a48ecab5',
  'splice-util-featured-app-proxies': '81dd5a9e5c02d0de03208522a895fb85eeb12fbea4aca7c4ad0ad106f3b0bfce',
  ...Object.fromEntries(
    [
      'splice-amulet-name-service',
      'splice-dso-governance',
      'splice-util-token-standard-wallet',
      'canton-builtin-admin-workflow-ping',
    ].map((name) => [name, createHash('sha256').update(name).digest('hex')]),
  ),
};

const MODULES: readonly (readonly [string, string, Readonly<Record<string, NetworkTemplate>>])[] = [
  [
    'splice-amulet',
    'Splice.Amulet',
    {
      Amulet: 'Holding',
      LockedAmulet: 'Holding',
      ...asNamed(
        'ValidatorRight',
        'FeaturedAppRight',
        'FeaturedAppActivityMarker',
        'AppRewardCoupon',
        'ValidatorRewardCoupon',
        'SvRewardCoupon',
        'UnclaimedReward',
        'UnclaimedActivityRecord',
        'DevelopmentFundCoupon',
        'UnclaimedDevelopmentFundCoupon',
      ),
    },
  ],
  ['splice-amulet', 'Splice.AmuletRules', asNamed('AmuletRules', 'TransferPreapproval', 'ExternalPartySetupProposal')],
  [
    'splice-amulet',
    'Splice.ExternalPartyAmuletRules',
    asNamed('ExternalPartyAmuletRules', 'TransferCommand', 'TransferCommandCounter'),
  ],
  ['splice-amulet', 'Splice.AmuletTransferInstruction', { AmuletTransferInstruction: 'TransferInstruction' }],
  [
    'splice-amulet',
    'Splice.Round',
    asNamed('OpenMiningRound', 'SummarizingMiningRound', 'IssuingMiningRound', 'ClosedMiningRound'),
  ],
  [
    'splice-amulet',
    'Splice.ValidatorLicense',
    asNamed('ValidatorLicense', 'ValidatorFaucetCoupon', 'ValidatorLivenessActivityRecord'),
  ],
  ['splice-amulet', 'Splice.DecentralizedSynchronizer', asNamed('MemberTraffic')],
  ['splice-amulet', 'Splice.ExternalPartyConfigState', asNamed('ExternalPartyConfigState')],
  ['splice-amulet-name-service', 'Splice.Ans', asNamed('AnsRules', 'AnsEntry', 'AnsEntryContext')],
  ['splice-dso-governance', 'Splice.DsoRules', asNamed('DsoRules', 'VoteRequest')],
  ['splice-dso-governance', 'Splice.DSO.AmuletPrice', asNamed('AmuletPriceVote')],
  ['splice-dso-governance', 'Splice.DSO.SvState', asNamed('SvRewardState')],
  ['splice-wallet', 'Splice.Wallet.Install', asNamed('WalletAppInstall')],
  ['splice-wallet', 'Splice.Wallet.TransferOffer', asNamed('TransferOffer', 'AcceptedTransferOffer')],
  ['splice-wallet', 'Splice.Wallet.BuyTrafficRequest', asNamed('BuyTrafficRequest')],
  ['splice-wallet', 'Splice.Wallet.TransferPreapproval', asNamed('TransferPreapprovalProposal')],
  ['splice-wallet', 'Splice.Wallet.TopUpState', asNamed('ValidatorTopUpState')],
  ['splice-wallet', 'Splice.Wallet.MintingDelegation', asNamed('MintingDelegationProposal', 'MintingDelegation')],
  [
    'splice-wallet-payments',
    'Splice.Wallet.Subscriptions',
    {
      ...asNamed('SubscriptionRequest', 'SubscriptionIdleState', 'SubscriptionPayment'),
      SubscriptionInitialPayment: 'SubscriptionPayment',
    },
  ],
  [
    'splice-util-token-standard-wallet',
    'Splice.Util.Token.Wallet.MergeDelegation',
    asNamed('MergeDelegationProposal', 'MergeDelegation', 'BatchMergeUtility'),
  ],
  ['canton-builtin-admin-workflow-ping', 'Canton.Internal.Ping', { Ping: 'ForeignContract' }],
  ['splice-util-featured-app-proxies', 'Splice.Util.FeaturedApp.DelegateProxy', { DelegateProxy: 'ForeignContract' }],
];

export const ENTITIES: readonly (readonly [qualifiedName: string, template: NetworkTemplate])[] = MODULES.flatMap(
  ([, module, entities]) =>
    Object.entries(entities).map(([entity, template]) => [`${module}:${entity}`, template] as const),
);

const PLACES: ReadonlyMap<string, TemplatePlace> = new Map(
  MODULES.flatMap(([packageName, module, entities]) =>
    Object.keys(entities).map((entity) => [entity, placeIn(packageName, `${module}:${entity}`)] as const),
  ),
);

function placeIn(packageName: string, qualifiedName: string): TemplatePlace {
  const templateId = `${PACKAGE_IDS[packageName] ?? ''}:${qualifiedName}`;
  return { packageName, qualifiedName, templateId, symbolicId: `#${packageName}:${qualifiedName}` };
}

const WANTED: ReadonlyMap<string, WantedTemplate> = new Map(
  MODULES.flatMap(([packageName, module, entities]) =>
    Object.entries(entities).flatMap(([entity, template]) =>
      [PACKAGE_IDS[packageName] ?? '', `#${packageName}`].map(
        (prefix) => [`${prefix}:${module}:${entity}`, { template, entity }] as const,
      ),
    ),
  ),
);

/** Returns whether the network has contracts of this template; it has none of our records, such as used tracking ids. */
export function isOfNetwork(contract: Contract): contract is NetworkContract {
  return TEMPLATES[contract.template].isRecord !== true;
}

export function entityOf(contract: NetworkContract): string {
  if (contract.template === 'Holding') return contract.lock ? 'LockedAmulet' : 'Amulet';
  if (contract.template === 'TransferInstruction') return 'AmuletTransferInstruction';
  if (contract.template === 'ForeignContract')
    return contract.templateId.slice(contract.templateId.lastIndexOf(':') + 1);
  const isInitial = contract.template === 'SubscriptionPayment' && contract.dueAt === null;
  return isInitial ? 'SubscriptionInitialPayment' : contract.template;
}

export function placeOf(contract: NetworkContract): TemplatePlace {
  // Cast: a test checks that the table has every entity.
  return PLACES.get(entityOf(contract)) as TemplatePlace;
}

/** Returns the template id for HTTP bodies: `PACKAGEID:Module:Entity`. */
export function templateIdOf(contract: NetworkContract): string {
  return placeOf(contract).templateId;
}

/** Returns the template id for commands and filters: `#package-name:Module:Entity`. */
export function symbolicIdOf(contract: NetworkContract): string {
  return placeOf(contract).symbolicId;
}

/** Parses a template id with a package hash or a package name. Returns null for an unknown template. */
export function wantedTemplate(templateId: string): WantedTemplate | null {
  return WANTED.get(templateId) ?? null;
}

function asNamed<const Name extends NetworkTemplate>(...names: readonly Name[]): Readonly<Record<Name, Name>> {
  // Cast: Object.fromEntries loses the keys.
  return Object.fromEntries(names.map((name) => [name, name])) as Readonly<Record<Name, Name>>;
}

export function networkId(qualifiedName: string): string {
  const [module = ''] = qualifiedName.split(':');
  const packageId = PACKAGE_OF_MODULE.get(module);
  return packageId === undefined ? qualifiedName : `${packageId}:${qualifiedName}`;
}

const PACKAGE_OF_MODULE: ReadonlyMap<string, string> = new Map([
  ...MODULES.map(([packageName, module]) => [module, PACKAGE_IDS[packageName] ?? ''] as const),
  ...Object.values(INTERFACE_PACKAGES).map(({ module, packageId }) => [module, packageId] as const),
]);

export const NETWORK_PACKAGES: readonly string[] = [...new Set(PACKAGE_OF_MODULE.values())];
