import type { Command, UpdateOfCommand } from '@coinlab/core';
import { keysOf } from '@coinlab/core/workflows';
import type { Submitted } from './submitted.js';
import { verbsOf, type Submitter, type Verbs } from './verbs.js';

/** A party that acts: each verb submits its command and returns the update. Throws when the command is refused. */
export type Actor = {
  readonly [Verb in keyof Verbs]: (...terms: Parameters<Verbs[Verb]>) => UpdateOfCommand<ReturnType<Verbs[Verb]>>;
};

/** A party that tries: each verb submits its command and returns the result, the update or the rejection. */
export type Attempts = {
  readonly [Verb in keyof Verbs]: (...terms: Parameters<Verbs[Verb]>) => Submitted<ReturnType<Verbs[Verb]>>;
};

/**
 * The verbs of a party, each followed by what is done with its command.
 * @param submitter who submits, as the ledger is when a verb is called
 */
export function actorOf<Acting extends Actor | Attempts>(
  submitter: () => Submitter,
  submit: (command: Command) => unknown,
): Acting {
  const verbs = keysOf(verbsOf(submitter())).map((verb) => {
    const act = (...terms: readonly unknown[]): unknown => {
      // The terms are the verb's own, see the types above.
      const write = verbsOf(submitter())[verb] as (...terms: readonly unknown[]) => Command;
      return submit(write(...terms));
    };
    return [verb, act];
  });
  // One function for each verb, which answers what `submit` answers for its command.
  return Object.fromEntries(verbs) as Acting;
}
