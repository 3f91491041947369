import type { LedgerState } from '../contracts/state.js';
import type { Context } from '../kernel/decision.js';
import type { AnyCommand } from './workflow.js';

type Decide<Command, Answer> = (command: Command, state: LedgerState, context: Context) => Answer;

export function byType<Command extends AnyCommand, Answer>(functions: {
  readonly [Type in Command['type']]: Decide<Extract<Command, { readonly type: Type }>, Answer>;
}): Decide<Command, Answer> {
  return (command, state, context) => {
    const { type }: { readonly type: Command['type'] } = command;
    // A cast, because the compiler cannot relate the function of a type to the command of that type.
    const decide = functions[type] as Decide<Command, Answer>;
    return decide(command, state, context);
  };
}
