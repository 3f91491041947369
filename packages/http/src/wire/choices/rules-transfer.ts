import { Amount, type ContractId, type Json, type PartyId } from '@coinlab/core';
import { coinsIn, type Exercised, type LedgerFacts } from './choice.js';
import { cid, decimal, list, optional, party, record, type Daml } from './daml.js';
import { contextOf, transferContext, transferInputs, type TransferContext } from './payment.js';
import { holdingMeta } from './result-meta.js';
import { paymentMeta, rulesResult, type Paid } from './transfer-results.js';

interface Output {
  readonly receiver: PartyId;
  readonly receiverFeeRatio: Amount;
  readonly amount: Amount;
}

interface RulesTransfer {
  readonly transfer: {
    readonly sender: PartyId;
    readonly provider: PartyId;
    readonly inputs: readonly ContractId[];
    readonly outputs: readonly Output[];
  };
  readonly context: TransferContext;
  readonly expectedDso: PartyId | null;
}

const argument: Daml<RulesTransfer> = record<RulesTransfer>({
  transfer: record<RulesTransfer['transfer']>({
    sender: party,
    provider: party,
    inputs: transferInputs,
    outputs: list(record<Output>({ receiver: party, receiverFeeRatio: decimal, amount: decimal })),
  }),
  context: transferContext,
  expectedDso: optional(party),
});

interface Transferred {
  readonly archived: readonly ContractId[];
  readonly detail: Paid & { readonly receiver: PartyId; readonly amount: Amount };
}

export function rulesTransfer(update: Transferred, facts: LedgerFacts): Exercised {
  const { sender, receiver } = update.detail;
  const meta = sender === receiver ? mergeMeta(update.detail) : paymentMeta(update.detail);
  return transferThrough(update, [update.detail], meta, facts);
}

export function ownTransfer(update: { archived: readonly ContractId[]; detail: Paid }, facts: LedgerFacts): Exercised {
  return transferThrough(update, [], mergeMeta(update.detail), facts);
}

function mergeMeta({ meta = {} }: Paid): Json {
  return holdingMeta('merge-split', {}, meta);
}

function transferThrough(
  { archived, detail }: { archived: readonly ContractId[]; detail: Paid },
  outputs: readonly { readonly receiver: PartyId; readonly amount: Amount }[],
  meta: Json,
  facts: LedgerFacts,
): Exercised {
  const { sender } = detail;
  const inputs = coinsIn({ archived }, facts);
  const transfer = {
    sender,
    provider: sender,
    inputs,
    outputs: outputs.map(({ receiver, amount }) => ({ receiver, receiverFeeRatio: Amount.zero, amount })),
  };
  return {
    choice: { on: '#splice-amulet:Splice.AmuletRules:AmuletRules', name: 'AmuletRules_Transfer', isConsuming: false },
    contract: facts.amuletRules,
    acting: [sender, ...outputs.map(({ receiver }) => receiver).filter((each) => each !== sender)],
    argument: argument.write({ transfer, context: contextOf(facts.round.id), expectedDso: facts.dso }),
    result: { ...rulesResult(detail, facts.round.round), meta },
  };
}

export function unlocked(holding: ContractId, reason: string, { round }: LedgerFacts): Json {
  return {
    amuletSum: {
      amulet: cid.write(holding),
      amuletPrice: decimal.write(round.amuletPrice),
      round: { number: String(round.round) },
    },
    meta: holdingMeta('unlock', { reason }),
  };
}
