import type { Command, UpdateOfCommand } from '@coinlab/core';
import { keysOf } from '@coinlab/core/workflows';
import type { Submitted } from './submitted.js';
import { verbsOf, type Submitter, type Verbs } from './verbs.js';

/** The verbs of a party. Each submits a command and returns the update; it throws if the command is refused. */
export type Actor = {
  readonly [Verb in keyof Verbs]: (...terms: Parameters<Verbs[Verb]>) => UpdateOfCommand<ReturnType<Verbs[Verb]>>;
};

/** The verbs of a party. Each submits a command and returns the result: the update or the rejection. */
export type Attempts = {
  readonly [Verb in keyof Verbs]: (...terms: Parameters<Verbs[Verb]>) => Submitted<ReturnType<Verbs[Verb]>>;
};

export function actorOf<Acting extends Actor | Attempts>(
  submitter: () => Submitter,
  submit: (command: Command) => unknown,
): Acting {
  const verbs = keysOf(verbsOf(submitter())).map((verb) => {
    const act = (...terms: readonly unknown[]): unknown => {
      // Cast: the type of the verb has checked its arguments.
      const write = verbsOf(submitter())[verb] as (...terms: readonly unknown[]) => Command;
      return submit(write(...terms));
    };
    return [verb, act];
  });
  // Cast: each verb returns the result of `submit`.
  return Object.fromEntries(verbs) as Acting;
}
