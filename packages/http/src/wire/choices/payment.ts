import type { ContractId, Json } from '@coinlab/core';
import { variantValue } from '../protobuf/values.js';
import { anything, cid, isObject, list, optional, record, shown, type Daml } from './daml.js';
import type { LedgerFacts } from './choice.js';
import type { Site } from './site.js';

/** Source: specification of the API §9.3. */
export interface TransferContext {
  readonly openMiningRound: ContractId;
  /** Ignored, like the rights: the ledger looks issuing rounds up itself. */
  readonly issuingMiningRounds: Json;
  readonly validatorRights: Json;
  readonly featuredAppRight: ContractId | null;
}

export interface PaymentContext {
  readonly amuletRules: ContractId;
  readonly context: TransferContext;
}

export const transferContext: Daml<TransferContext> = record<TransferContext>({
  openMiningRound: cid,
  issuingMiningRounds: anything,
  validatorRights: anything,
  featuredAppRight: optional(cid),
});

export const paymentContext: Daml<PaymentContext> = record<PaymentContext>({
  amuletRules: cid,
  context: transferContext,
});

export const transferInputs: Daml<readonly ContractId[]> = list({
  expected: 'a transfer input {"tag":"InputAmulet","value":CONTRACT_ID}',
  read(json, field, faults) {
    if (isObject(json) && typeof json['tag'] === 'string' && json['tag'].startsWith('Input'))
      return cid.read(json['value'], `${field}.value`, faults);
    faults.push({ field, value: shown(json), expected: this.expected });
    return cid.read(null, field, []);
  },
  write: (value) => ({ tag: 'InputAmulet', value: cid.write(value) }),
  encode: (value) => variantValue('InputAmulet', cid.encode(value)),
});

export function contextOf(openMiningRound: ContractId): TransferContext {
  return { openMiningRound, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null };
}

export function paymentAt({ amuletRules, round }: LedgerFacts): PaymentContext {
  return { amuletRules, context: contextOf(round.id) };
}

export function checkTransferContext({ openMiningRound, featuredAppRight }: TransferContext, site: Site): void {
  site.openRound(openMiningRound);
  if (featuredAppRight !== null) site.contract('FeaturedAppRight', featuredAppRight);
}

export function checkPaymentContext({ amuletRules, context }: PaymentContext, site: Site): void {
  site.contract('AmuletRules', amuletRules);
  checkTransferContext(context, site);
}
