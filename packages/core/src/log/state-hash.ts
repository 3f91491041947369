import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { TEMPLATES, type Contract } from '../contracts/contract.js';
import { findAny, scanContracts, type LedgerState } from '../contracts/state.js';
import type { ContractId } from '../kernel/ids.js';
import { record, type Fields, type Json } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';

/**
 * The canonical form of a state, line by line: the ledger time, then every active contract and record as JSON without its id,
 * references replaced by the content they refer to, sorted. Two states that differ only in the path that led to them have the
 * same form. A scan of the whole state.
 */
export function canonicalLines(state: LedgerState): readonly string[] {
  const lines: string[] = [];
  for (const contract of scanContracts(state)) lines.push(JSON.stringify(canonical(contract, state)));
  lines.sort();
  lines.unshift(JSON.stringify({ time: state.offset === 0 ? null : Instant.format(state.time) }));
  return lines;
}

/** SHA-256 of the canonical form, in hex: equal for equal states whatever path led there. A scan of the whole state. */
export function stateHash(state: LedgerState): string {
  const hash = sha256.create();
  for (const line of canonicalLines(state)) hash.update(utf8ToBytes(`${line}\n`));
  return bytesToHex(hash.digest());
}

function canonical(contract: Contract, state: LedgerState): Json {
  const content = (id: ContractId): Json => {
    const referred = findAny(state, id);
    return referred ? canonical(referred, state) : 'archived';
  };
  const { id: _, template, ...fields } = contract;
  return { template, ...(shapeOf(template).write(fields, content) as object) };
}

function shapeOf(template: Contract['template']): ReturnType<typeof record<object>> {
  return record<object>(TEMPLATES[template].fields as Fields<object>);
}
