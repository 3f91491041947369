import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { TEMPLATES, TEMPLATE_NAMES, type Contract, type TemplateName } from '../contracts/contract.js';
import { bookOf } from '../contracts/ledger-state.js';
import { allOf, findAny, type LedgerState } from '../contracts/state.js';
import type { ContractId } from '../kernel/ids.js';
import { party, record, tagged, type Fields, type PrintRef, type Shape } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';

// Casts: `TEMPLATES` has the fields of each template, active contracts are found by their ids, and indices are below the length.

/** Characters that are hashed at once: hashing line by line costs more than the hash itself. */
const BLOCK = 1 << 16;
/** Most lines that are sorted at once: the text of a large state is never in memory as a whole. */
const AT_ONCE = 1 << 15;
/** Short, so that V8 copies it: a longer part of a line would keep the line in memory. */
const KEY = 3;
/** Text in a canonical form that replaces a reference to an archived contract. */
export const ARCHIVED = '"archived"';

/** An incremental SHA-256, such as Node's, which is several times faster than the portable one. */
export interface ByteHash {
  update(bytes: Uint8Array): unknown;
  /** Returns the hash in hex; no update can follow. */
  digest(encoding: 'hex'): string;
}

type Pieces = Generator<readonly string[], void, undefined>;
type Line = (contract: Contract) => string;

/** Leaves out the id, because two ledgers may have numbered a contract differently. */
const contentShape: Shape<Contract> = tagged<Contract>(
  'template',
  Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [name, record<object>(TEMPLATES[name].fields as Fields<object>)]),
  ) as Readonly<Record<string, Shape<unknown>>>,
);

/**
 * Returns the canonical form of a state: the ledger time, then every active contract and record as JSON without its
 * id, with references replaced by content, sorted. States that differ only in their history have the same form. A
 * scan of the whole state.
 */
export function canonicalLines(state: LedgerState): readonly string[] {
  return [...piecesOf(state)].flat();
}

/**
 * Returns the SHA-256 of the canonical form, in hex: equal for equal states with any history. A scan of the whole
 * state.
 * @param hash implementation to use; default: the portable one
 */
export function stateHash(state: LedgerState, hash: ByteHash = portableHash()): string {
  let block = '';
  for (const lines of piecesOf(state))
    for (const line of lines) {
      block += `${line}\n`;
      if (block.length < BLOCK) continue;
      hash.update(utf8ToBytes(block));
      block = '';
    }
  hash.update(utf8ToBytes(block));
  return hash.digest('hex');
}

function portableHash(): ByteHash {
  const hash = sha256.create();
  return { update: (bytes) => hash.update(bytes), digest: () => bytesToHex(hash.digest()) };
}

function* piecesOf(state: LedgerState): Pieces {
  yield [JSON.stringify({ time: state.offset === 0 ? null : Instant.format(state.time) })];
  const content = (id: ContractId): string => {
    const referred = findAny(state, id);
    return referred ? line(referred) : ARCHIVED;
  };
  const line = (contract: Contract): string => canonicalContract(contract, content);
  // A line begins with its template.
  for (const template of [...TEMPLATE_NAMES].sort())
    yield* template === 'Holding' ? coins(state, line) : byFirstParty(template, [...allOf(state, template)], line);
}

/** Owners are sorted as in lines: no character of a party is below the quote that ends it. */
function* coins(state: LedgerState, line: Line): Pieces {
  const book = bookOf(state);
  for (const owner of book.small.owners.sorted()) yield* inOrder([...book.coinsOf(owner)], line);
}

/** Lines of one template begin with the same field. If this is a party, only lines with the same party are compared. */
function* byFirstParty(template: TemplateName, contracts: Contract[], line: Line): Pieces {
  const [first] = Object.entries(TEMPLATES[template].fields as Fields<object>);
  if (first?.[1] !== party) return yield* inOrder(contracts, line);
  const partyOf = (contract: Contract): string => String(contract[first[0] as keyof Contract]);
  contracts.sort((a, b) => (partyOf(a) < partyOf(b) ? -1 : partyOf(a) > partyOf(b) ? 1 : 0));
  for (let from = 0, to = 0; from < contracts.length; from = to) {
    const name = partyOf(contracts[from] as Contract);
    while (to < contracts.length && partyOf(contracts[to] as Contract) === name) to += 1;
    yield* inOrder(contracts.slice(from, to), line);
  }
}

function* inOrder(contracts: readonly Contract[], line: Line): Pieces {
  if (contracts.length <= AT_ONCE) return yield contracts.map(line).sort();
  let start = line(contracts[0] as Contract);
  for (const contract of contracts) start = commonStart(start, line(contract));
  const parts = new Map<string, Contract[]>();
  for (const contract of contracts) {
    const key = line(contract).slice(start.length, start.length + KEY);
    const part = parts.get(key);
    if (part) part.push(contract);
    else parts.set(key, [contract]);
  }
  // Then all lines are equal.
  if (parts.size === 1) return yield contracts.map(() => start);
  for (const key of [...parts.keys()].sort()) yield* inOrder(parts.get(key) ?? [], line);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return a.slice(0, length);
}

/** Returns a contract in canonical form, with references written by `content`. */
export function canonicalContract(contract: Contract, content: PrintRef): string {
  return contentShape.print(contract, content);
}
