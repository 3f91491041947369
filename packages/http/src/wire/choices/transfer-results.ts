import type { ContractId, Json } from '@coinlab/core';
import { cid } from './daml.js';
import { holdingMeta } from './result-meta.js';

/** Returns the result of a transfer or of a step of its instruction. Source: specification of the API §9.3. */
export function transferResult(
  output: Json,
  change: ContractId | null,
  kind: string,
  meta: Readonly<Record<string, string>>,
): Json {
  return { output, senderChangeCids: change === null ? [] : [cid.write(change)], meta: holdingMeta(kind, {}, meta) };
}

/** The output of a transfer that has reached its receiver. */
export function completed(holdings: readonly ContractId[]): Json {
  return {
    tag: 'TransferInstructionResult_Completed',
    value: { receiverHoldingCids: holdings.map((holding) => cid.write(holding)) },
  };
}

/** The output of a transfer that waits for its receiver. */
export function pending(instruction: ContractId): Json {
  return { tag: 'TransferInstructionResult_Pending', value: { transferInstructionCid: cid.write(instruction) } };
}

/** The output of a transfer that was rejected or withdrawn. */
export const FAILED: Json = { tag: 'TransferInstructionResult_Failed', value: {} };
