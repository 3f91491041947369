import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { TEMPLATES, TEMPLATE_NAMES, type Contract, type TemplateName } from '../contracts/contract.js';
import { findAny, scanContracts, type LedgerState } from '../contracts/state.js';
import type { ContractId } from '../kernel/ids.js';
import { record, tagged, type Fields, type PrintRef, type Shape } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';

// Casts: `TEMPLATES` has the fields of each template, active contracts are found by their ids, and indices are below the length.

const BLOCK = 256;
/**
 * Most contracts that are hashed at once. A larger state is first partitioned by id, so that its text is never in
 * memory as a whole.
 */
const AT_ONCE = 1 << 15;
const SAMPLE = 64;
/** Text in a canonical form that replaces a reference to an archived contract. */
export const ARCHIVED = '"archived"';

/** An incremental SHA-256, such as Node's, which is several times faster than the portable one. */
export interface ByteHash {
  update(bytes: Uint8Array): unknown;
  /** Returns the hash in hex; no update can follow. */
  digest(encoding: 'hex'): string;
}

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
  // In blocks: hashing line by line costs more than the hash itself, and a single text could exceed the maximum
  // length.
  for (const lines of piecesOf(state))
    for (let i = 0; i < lines.length; i += BLOCK) hash.update(utf8ToBytes(`${lines.slice(i, i + BLOCK).join('\n')}\n`));
  return hash.digest('hex');
}

function portableHash(): ByteHash {
  const hash = sha256.create();
  return { update: (bytes) => hash.update(bytes), digest: () => bytesToHex(hash.digest()) };
}

function* piecesOf(state: LedgerState): Generator<readonly string[], void, undefined> {
  yield [JSON.stringify({ time: state.offset === 0 ? null : Instant.format(state.time) })];
  const ids = new Map<TemplateName, ContractId[]>();
  for (const { template, id } of scanContracts(state)) {
    const known = ids.get(template);
    if (known) known.push(id);
    else ids.set(template, [id]);
  }
  const line = (id: ContractId): string => canonical(findAny(state, id) as Contract, state);
  // A line begins with its template.
  for (const template of [...ids.keys()].sort()) yield* inOrder(ids.get(template) ?? [], line);
}

function* inOrder(
  ids: readonly ContractId[],
  line: (id: ContractId) => string,
): Generator<readonly string[], void, undefined> {
  if (ids.length <= AT_ONCE) {
    yield ids.map(line).sort();
    return;
  }
  const step = Math.ceil(ids.length / SAMPLE);
  let start = line(ids[0] as ContractId);
  for (let i = step; i < ids.length; i += step) start = commonStart(start, line(ids[i] as ContractId));
  let parts = parted(ids, line, start);
  while (typeof parts === 'string') {
    start = parts;
    parts = parted(ids, line, start);
  }
  if (parts.has(NOTHING_LEFT) && parts.size === 1) {
    for (let i = 0; i < ids.length; i += AT_ONCE) yield ids.slice(i, i + AT_ONCE).map(() => start);
    return;
  }
  for (const key of [...parts.keys()].sort((a, b) => a - b)) yield* inOrder(parts.get(key) ?? [], line);
}

function parted(
  ids: readonly ContractId[],
  line: (id: ContractId) => string,
  start: string,
): ReadonlyMap<number, ContractId[]> | string {
  const parts = new Map<number, ContractId[]>();
  for (const id of ids) {
    const text = line(id);
    if (!text.startsWith(start)) return commonStart(start, text);
    const key = keyAt(text, start.length);
    const part = parts.get(key);
    if (part) part.push(id);
    else parts.set(key, [id]);
  }
  return parts;
}

const NOTHING_LEFT = 0;

function keyAt(text: string, at: number): number {
  const code = (i: number): number => (i < text.length ? text.charCodeAt(i) : 0);
  return (code(at) * 2 ** 16 + code(at + 1)) * 2 ** 16 + code(at + 2);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return a.slice(0, length);
}

function canonical(contract: Contract, state: LedgerState): string {
  const content = (id: ContractId): string => {
    const referred = findAny(state, id);
    return referred ? canonical(referred, state) : ARCHIVED;
  };
  return canonicalContract(contract, content);
}

/** Returns a contract in canonical form, with references written by `content`. */
export function canonicalContract(contract: Contract, content: PrintRef): string {
  return contentShape.print(contract, content);
}
