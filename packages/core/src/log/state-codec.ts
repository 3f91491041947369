import { contractShape } from '../contracts/contract.js';
import { contractCount, emptyState, numberingOf, scanContracts, type LedgerState } from '../contracts/state.js';
import { create } from '../contracts/ledger-state.js';
import { Amount } from '../kernel/amount.js';
import type { Offset } from '../kernel/ids.js';
import { parseJsonObject } from '../kernel/json.js';
import { describeMalformed, type Malformed } from '../kernel/malformed.js';
import { err, ok, type Result } from '../kernel/result.js';
import { amount, instant, integer, record, refDigits, type Shape } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { BadLine } from './codec.js';

/** Version of the written form of states. A state of another version is refused; replay the log instead. */
export const STATE_VERSION: number = 1;

interface StateHeader {
  readonly v: number;
  readonly offset: number;
  readonly time: Instant;
  readonly nextContract: number;
  readonly minted: Amount;
  readonly burned: Amount;
  readonly contracts: number;
}

const headerShape: Shape<StateHeader> = record<StateHeader>({
  v: integer,
  offset: integer,
  time: instant,
  nextContract: integer,
  minted: amount,
  burned: amount,
  contracts: integer,
});

/**
 * Writes a state as lines of JSON: its position in the log, then every active contract and record in order of
 * creation. Equal logs give equal lines, byte for byte. Lines are generated lazily; do not change the state
 * meanwhile.
 */
export function* stateLines(state: LedgerState): Generator<string, void, undefined> {
  const { offset, time, nextContract, minted, burned } = state;
  yield headerShape.print(
    { v: STATE_VERSION, offset, time, nextContract, minted, burned, contracts: contractCount(state) },
    refDigits,
  );
  for (const contract of scanContracts(state)) yield contractShape.print(contract, refDigits);
}

/**
 * Reads lines of {@link stateLines} and returns a state from which the ledger continues. Checks the form of every
 * line, the order and number of contracts, and that the coins sum to minted minus burned.
 */
export function readStateLines(lines: Iterable<string>): Result<LedgerState, BadLine> {
  let header: StateHeader | null = null;
  let line = 0;
  let last = 0;
  let coins = 0n;
  const state = emptyState();
  for (const text of lines) {
    line += 1;
    const json = parseJsonObject(text);
    if (!json) return err({ line, reason: 'not a JSON object' });
    const faults: Malformed[] = [];
    if (!header) {
      header = headerShape.read(json, faults);
      if (faults[0]) return err({ line, reason: describeMalformed(faults[0]) });
      if (header.v !== STATE_VERSION)
        return err({ line, reason: `v: got ${header.v}, expected version ${STATE_VERSION}` });
      continue;
    }
    const contract = contractShape.read(json, faults, numberingOf(state));
    if (faults[0]) return err({ line, reason: describeMalformed(faults[0]) });
    if (contract.id <= last || contract.id >= header.nextContract)
      return err({ line, reason: `id: ${contract.id} is out of order` });
    if (contract.template === 'Holding') {
      if (contract.amount <= 0n) return err({ line, reason: 'amount: a holding has a positive amount' });
      coins += contract.amount;
    }
    last = contract.id;
    create(state, contract, () => text);
  }
  if (!header) return err({ line: 1, reason: 'there is nothing' });
  if (line - 1 !== header.contracts)
    return err({ line, reason: `${line - 1} contracts, but ${header.contracts} were written` });
  if (coins !== Amount.sub(header.minted, header.burned))
    return err({ line, reason: 'the coins are not those that were minted and not burned' });
  // Cast: the shape of the header has read a whole number.
  state.offset = header.offset as Offset;
  state.time = header.time;
  state.nextContract = header.nextContract;
  state.minted = header.minted;
  state.burned = header.burned;
  return ok(state);
}
