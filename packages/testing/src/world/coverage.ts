import {
  COMMAND_TYPES,
  LAWS,
  REJECTION_CODES,
  type CommandType,
  type Law,
  type Rejection,
  type RejectionCode,
  type Result,
} from '@coinlab/core';
import { COMMANDS } from '@coinlab/core/workflows';
import { textTable } from './table.js';

let collecting: LedgerCoverage | null = null;

export function fileCoverage(): LedgerCoverage | null {
  return collecting;
}

/** Sets the coverage of all ledgers that are created later; null stops the counting. `collectCoverage` calls it. */
export function setFileCoverage(coverage: LedgerCoverage | null): void {
  collecting = coverage;
}

/** The covered and the missing items of a list, in the list's order. */
export interface Covered<Item> {
  readonly covered: readonly Item[];
  readonly missing: readonly Item[];
}

/** The outcomes of one type of command. */
export interface CommandOutcomes {
  readonly command: CommandType;
  readonly accepted: number;
  /** The number of refusals by code. */
  readonly refusals: ReadonlyMap<RejectionCode, number>;
  /** The codes with which the ledger can refuse the command and has not yet, in order of precedence. */
  readonly missing: readonly RejectionCode[];
}

/**
 * Counts the commands, refusals and laws that tests cover. Pass one to every ledger of a test file with
 * `createTestLedger({ coverage })`. Print it after the last test: `afterAll(() =>
 * console.log(String(coverage)))`.
 */
export class LedgerCoverage {
  readonly #accepted: Map<CommandType, number> = new Map();
  readonly #refused: Map<CommandType, Map<RejectionCode, number>> = new Map();
  readonly #laws: Set<string> = new Set();

  /** Counts a command. Test ledgers call it. */
  add(type: CommandType, outcome: Result<unknown, Rejection>, laws: readonly Law[]): void {
    if (outcome.ok) {
      this.#accepted.set(type, (this.#accepted.get(type) ?? 0) + 1);
      for (const { name } of laws) this.#laws.add(name);
      return;
    }
    const codes = this.#refused.get(type) ?? new Map<RejectionCode, number>();
    codes.set(outcome.error.code, (codes.get(outcome.error.code) ?? 0) + 1);
    this.#refused.set(type, codes);
  }

  /** The types of commands that were accepted at least once, and the missing ones. */
  commands(): Covered<CommandType> {
    return partition(COMMAND_TYPES, (type) => this.#accepted.has(type));
  }

  /** The codes with which a command was refused at least once, and the missing ones. */
  refusals(): Covered<RejectionCode> {
    const codes = new Set([...this.#refused.values()].flatMap((each) => [...each.keys()]));
    return partition(REJECTION_CODES, (code) => codes.has(code));
  }

  /** The names of laws that were checked on at least one update, and the missing ones. */
  laws(): Covered<string> {
    return partition(
      LAWS.map(({ name }) => name),
      (name) => this.#laws.has(name),
    );
  }

  outcomes(): readonly CommandOutcomes[] {
    return COMMAND_TYPES.filter((type) => this.#accepted.has(type) || this.#refused.has(type)).map((command) => {
      const refusals: ReadonlyMap<RejectionCode, number> = this.#refused.get(command) ?? new Map();
      const missing = COMMANDS[command].refusals.filter((code) => !refusals.has(code));
      return { command, accepted: this.#accepted.get(command) ?? 0, refusals, missing };
    });
  }

  toString(): string {
    const summary = [
      `commands accepted: ${shareOf(this.commands())}`,
      `refusal codes seen: ${shareOf(this.refusals())}`,
      `laws checked: ${shareOf(this.laws())}`,
    ];
    const outcomes = this.outcomes();
    if (outcomes.length === 0) return summary.join('; ');
    const rows = outcomes.map(({ command, accepted, refusals }) => [
      command,
      accepted,
      [...refusals].map(([code, count]) => `${code} (${count})`).join(', ') || '-',
    ]);
    const missing = outcomes.map(({ command, missing: codes }) => `  ${command}: ${codes.join(', ') || 'none'}`);
    return [
      summary.join('; '),
      textTable(['command', 'accepted', 'refused with'], rows),
      ['refusals without a test', ...missing].join('\n'),
    ].join('\n\n');
  }
}

function partition<Item>(items: readonly Item[], isCovered: (item: Item) => boolean): Covered<Item> {
  return { covered: items.filter(isCovered), missing: items.filter((item) => !isCovered(item)) };
}

function shareOf({ covered, missing }: Covered<unknown>): string {
  return `${covered.length} of ${covered.length + missing.length}`;
}
