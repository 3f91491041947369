import { type UpdateKind, COMMAND_TYPES, UPDATE_KINDS, type CommandType } from '@coinlab/core';
import type { RunStory } from './finding.js';

/** Counts of accepted and refused commands, by type. */
export interface CommandCoverage {
  readonly accepted: ReadonlyMap<CommandType, number>;
  readonly refused: ReadonlyMap<CommandType, number>;
  /** Expected types of commands that were never accepted. */
  readonly neverAccepted: readonly CommandType[];
  /** Expected types of commands that were never refused. */
  readonly neverRefused: readonly CommandType[];
  /** Kinds of update that the check never saw. */
  readonly neverHappened: readonly UpdateKind[];
}

export class Tally {
  readonly #accepted: Map<CommandType, number> = new Map();
  readonly #refused: Map<CommandType, number> = new Map();
  readonly #happened: Set<string> = new Set();
  runs = 0;
  commands = 0;
  predicted = 0;

  count({ steps, predicted }: RunStory): void {
    this.runs += 1;
    this.predicted += predicted;
    this.commands += steps.length;
    for (const { submission, accepted, outcome } of steps) {
      if (accepted) this.#happened.add(outcome);
      const counts = accepted ? this.#accepted : this.#refused;
      const { type } = submission.command;
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }

  coverage(wanted: readonly CommandType[] = COMMAND_TYPES): CommandCoverage {
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      neverAccepted: wanted.filter((type) => !this.#accepted.has(type)),
      neverRefused: wanted.filter((type) => !this.#refused.has(type)),
      neverHappened: UPDATE_KINDS.filter((kind) => !this.#happened.has(kind)),
    };
  }
}
