import { Amount, settingsOf, type ContractOf, type Json, type LedgerState } from '@coinlab/core';
import { INTERFACE_PACKAGES } from './interface-packages.js';
import { payloadOf } from '../payloads.js';
import { LEDGER_DIALECT, time, type Payload, type Terms } from '../payloads/fields.js';
import { withoutTrailing } from './values.js';
import type { NetworkContract, NetworkTemplate } from '../templates.js';

type View<Name extends NetworkTemplate> = (contract: ContractOf<Name>, terms: Terms, payload: () => Payload) => Payload;
type Views = { readonly [Name in NetworkTemplate]?: View<Name> };

export interface NetworkInterface {
  readonly packageId: string;
  readonly qualifiedName: string;
  readonly views: Views;
}

const COIN_KEYS = 'amulet.splice.lfdecentralizedtrust.org';
const NO_META: Payload = { values: {} };

const factory: Views = { ExternalPartyAmuletRules: (_, { dso }) => ({ admin: dso, meta: NO_META }) };

/** Source: specification of the API §11.1, §11.4; the network's token standard. */
const INTERFACES: readonly NetworkInterface[] = [
  interfaceOf('holding', 'Holding', { Holding: holdingView }),
  interfaceOf('transferInstruction', 'TransferInstruction', {
    TransferInstruction: (_, __, payload) => ({
      originalInstructionCid: null,
      transfer: payload()['transfer'] ?? null,
      status: { tag: 'TransferPendingReceiverAcceptance', value: {} },
      meta: NO_META,
    }),
  }),
  interfaceOf('transferInstruction', 'TransferFactory', factory),
  interfaceOf('allocationInstruction', 'AllocationFactory', factory),
  interfaceOf('featuredAppRight', 'FeaturedAppRight', { FeaturedAppRight: (_, __, payload) => payload() }),
  interfaceOf('featuredAppRight', 'FeaturedAppActivityMarker', {
    FeaturedAppActivityMarker: (_, __, payload) => payload(),
  }),
];

function interfaceOf(name: keyof typeof INTERFACE_PACKAGES, entity: string, views: Views): NetworkInterface {
  const { packageId, module } = INTERFACE_PACKAGES[name];
  return { packageId, qualifiedName: `${module}:${entity}`, views };
}

const BY_NAME: ReadonlyMap<string, NetworkInterface> = new Map(INTERFACES.map((one) => [one.qualifiedName, one]));

export function interfaceNamed(qualifiedName: string): NetworkInterface | null {
  return BY_NAME.get(qualifiedName) ?? null;
}

export function interfaceIdOf({ packageId, qualifiedName }: NetworkInterface): string {
  return `${packageId}:${qualifiedName}`;
}

export function implementsInterface(template: NetworkTemplate, { views }: NetworkInterface): boolean {
  return views[template] !== undefined;
}

export function viewOf(contract: NetworkContract, { views }: NetworkInterface, state: LedgerState): Json {
  // Cast: the table is keyed by the template of the contract.
  const view = views[contract.template] as View<NetworkTemplate>;
  const terms = { ...LEDGER_DIALECT, dso: settingsOf(state).dso };
  return withoutTrailing(view(contract, terms, () => payloadOf(contract, state, LEDGER_DIALECT)));
}

function holdingView(holding: ContractOf<'Holding'>, { dso, decimal }: Terms): Payload {
  const { owner, amount, createdAt, ratePerRound, lock } = holding;
  return {
    owner,
    instrumentId: { admin: dso, id: 'Amulet' },
    amount: decimal(amount),
    lock: lock && {
      holders: lock.holders,
      expiresAt: time(lock.expiresAt),
      expiresAfter: null,
      context: lock.context,
    },
    meta: {
      values: {
        [`${COIN_KEYS}/created-in-round`]: String(createdAt),
        [`${COIN_KEYS}/rate-per-round`]: Amount.short(ratePerRound),
      },
    },
  };
}
