import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { TEMPLATES, TEMPLATE_NAMES, type Contract } from '../contracts/contract.js';
import { findAny, scanContracts, type LedgerState } from '../contracts/state.js';
import type { ContractId } from '../kernel/ids.js';
import { record, tagged, type Fields, type PrintRef, type Shape } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';

/** Lines hashed at a time. */
const BLOCK = 256;
/** What stands for a reference to a contract that is no more. */
export const ARCHIVED = '"archived"';

/** A contract without its id: two ledgers may have numbered it differently. */
const contentShape: Shape<Contract> = tagged<Contract>(
  'template',
  Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [name, record<object>(TEMPLATES[name].fields as Fields<object>)]),
  ) as Readonly<Record<string, Shape<never>>>,
);

/**
 * The canonical form of a state, line by line: the ledger time, then every active contract and record as JSON without its id,
 * references replaced by the content they refer to, sorted. Two states that differ only in the path that led to them have the
 * same form. A scan of the whole state.
 */
export function canonicalLines(state: LedgerState): readonly string[] {
  const lines: string[] = [];
  for (const contract of scanContracts(state)) lines.push(canonical(contract, state));
  lines.sort();
  lines.unshift(JSON.stringify({ time: state.offset === 0 ? null : Instant.format(state.time) }));
  return lines;
}

/** SHA-256 of the canonical form, in hex: equal for equal states whatever path led there. A scan of the whole state. */
export function stateHash(state: LedgerState): string {
  const lines = canonicalLines(state);
  const hash = sha256.create();
  // By the block: line by line costs more than the hash itself, and all at once would be longer than a text can be.
  for (let i = 0; i < lines.length; i += BLOCK) hash.update(utf8ToBytes(`${lines.slice(i, i + BLOCK).join('\n')}\n`));
  return bytesToHex(hash.digest());
}

function canonical(contract: Contract, state: LedgerState): string {
  const content = (id: ContractId): string => {
    const referred = findAny(state, id);
    return referred ? canonical(referred, state) : ARCHIVED;
  };
  return canonicalContract(contract, content);
}

/** A contract in canonical form, references written as they are told. */
export function canonicalContract(contract: Contract, content: PrintRef): string {
  return contentShape.print(contract, content);
}
