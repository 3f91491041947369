import { Instant, type Amount, type ContractId, type Json, type PartyId, type TransferArgument } from '@coinlab/core';
import type { ChoiceName, LedgerFacts } from './choice.js';
import {
  anything,
  cid,
  decimal,
  list,
  metadata,
  orEmpty,
  party,
  record,
  text,
  textMap,
  time,
  type Daml,
  type Metadata,
} from './daml.js';
import { checkExtraArgs, contractInContext, type ExtraArgs } from './extra-args.js';
import type { Site } from './site.js';

interface Transfer {
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly amount: Amount;
  readonly instrumentId: { readonly admin: PartyId; readonly id: string };
  readonly requestedAt: Instant;
  readonly executeBefore: Instant;
  readonly inputHoldingCids: readonly ContractId[];
  readonly meta: Metadata;
}

/** Source: specification of the API §9.3. */
export interface FactoryTransfer {
  readonly expectedAdmin: PartyId;
  readonly transfer: Transfer;
  readonly extraArgs: ExtraArgs;
}

export const extraArgs: Daml<ExtraArgs> = record<ExtraArgs>({
  context: record<ExtraArgs['context']>({ values: orEmpty(textMap(anything)) }),
  meta: metadata,
});

export const factoryTransfer: Daml<FactoryTransfer> = record<FactoryTransfer>({
  expectedAdmin: party,
  transfer: record<Transfer>({
    sender: party,
    receiver: party,
    amount: decimal,
    instrumentId: record<Transfer['instrumentId']>({ admin: party, id: text }),
    requestedAt: time,
    executeBefore: time,
    inputHoldingCids: list(cid),
    meta: metadata,
  }),
  extraArgs,
});

export const TRANSFER_INTERFACES = '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';
export const TRANSFER: ChoiceName = {
  on: `${TRANSFER_INTERFACES}:TransferFactory`,
  name: 'TransferFactory_Transfer',
  isConsuming: false,
};

export interface ReadTransfer {
  readonly argument: TransferArgument & { readonly executeBefore: Instant };
  readonly preapproval: ContractId | null;
}

export function transferOf(
  { expectedAdmin, transfer, extraArgs: extra }: FactoryTransfer,
  factory: ContractId,
  site: Site,
): ReadTransfer {
  site.contract('ExternalPartyAmuletRules', factory);
  const { sender, receiver, amount, instrumentId, requestedAt, executeBefore, inputHoldingCids, meta } = transfer;
  // The administrator comes first: a transfer of another registry has another context.
  if (expectedAdmin === site.dso) checkExtraArgs(extra, ['amulet-rules', 'open-round'], site);
  return {
    // All fields are listed: on Node 20 an object that begins with a spread takes 2 µs.
    argument: {
      sender,
      receiver,
      amount,
      inputs: inputHoldingCids,
      executeBefore,
      requestedAt,
      meta: meta.values,
      instrument: instrumentId,
      expectedAdmin,
    },
    preapproval: expectedAdmin === site.dso ? contractInContext(extra, 'transfer-preapproval', site) : null,
  };
}

/** Fills in the latest time for transfers that are no offers, because the log keeps the deadlines of offers only. */
export function transferArgumentOf(
  transfer: {
    readonly sender: PartyId;
    readonly receiver: PartyId;
    readonly amount: Amount;
    readonly inputs: readonly ContractId[];
    readonly at: Instant;
    readonly executeBefore?: Instant;
    readonly meta?: Readonly<Record<string, string>>;
    readonly preapproval?: ContractId;
  },
  facts: LedgerFacts,
): FactoryTransfer {
  const { dso } = facts;
  const { sender, receiver, amount, inputs, at, executeBefore = Instant.latest, meta = {}, preapproval } = transfer;
  return {
    expectedAdmin: dso,
    transfer: {
      sender,
      receiver,
      amount,
      instrumentId: { admin: dso, id: 'Amulet' },
      requestedAt: at,
      executeBefore,
      inputHoldingCids: inputs,
      meta: { values: meta },
    },
    extraArgs: roundContext(facts, preapproval),
  };
}

export function roundContext({ amuletRules, round }: LedgerFacts, preapproval?: ContractId): ExtraArgs {
  const values = {
    'amulet-rules': contextValue(amuletRules),
    'open-round': contextValue(round.id),
    ...(preapproval === undefined ? {} : { 'transfer-preapproval': contextValue(preapproval) }),
  };
  return { context: { values }, meta: { values: {} } };
}

function contextValue(contract: ContractId): Json {
  return { tag: 'AV_ContractId', value: cid.write(contract) };
}
