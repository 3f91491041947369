import { Amount, type ContractId, type Json, type PartyId } from '@coinlab/core';
import { cid, int } from './daml.js';
import { burnedMeta, holdingMeta } from './result-meta.js';

/** Source: specification of the API §9.3. */
export function transferResult(output: Json, change: ContractId | null, burned: Amount = Amount.zero): Json {
  return { output, senderChangeCids: change === null ? [] : [cid.write(change)], meta: burnedMeta(burned) };
}

export interface Paid {
  readonly sender: PartyId;
  readonly holdings: readonly ContractId[];
  readonly change: ContractId | null;
  readonly burned: Amount;
  readonly meta?: Readonly<Record<string, string>>;
}

type JsonObject = Readonly<Record<string, Json>>;

export function rulesResult({ holdings, change }: Pick<Paid, 'holdings' | 'change'>, round: number): JsonObject {
  return {
    round: { number: int.write(round) },
    createdAmulets: holdings.map((holding) => ({ tag: 'TransferResultAmulet', value: cid.write(holding) })),
    senderChangeAmulet: change === null ? null : cid.write(change),
  };
}

export function paymentMeta({ sender, burned, meta = {} }: Paid): Json {
  return holdingMeta('transfer', { sender, ...(burned > 0n ? { burned: Amount.short(burned) } : {}) }, meta);
}

export function completed(holdings: readonly ContractId[]): Json {
  return {
    tag: 'TransferInstructionResult_Completed',
    value: { receiverHoldingCids: holdings.map((holding) => cid.write(holding)) },
  };
}

export function pending(instruction: ContractId): Json {
  return { tag: 'TransferInstructionResult_Pending', value: { transferInstructionCid: cid.write(instruction) } };
}

export const FAILED: Json = { tag: 'TransferInstructionResult_Failed', value: {} };
