import type { CommandShapes, Context, DecisionOf, DetailShapes } from '../kernel/decision.js';
import type { Contract } from './contract.js';
import type { LedgerState } from './state.js';

/** One story of the ledger: how its commands are written, what its updates carry, and how it decides. */
export interface Workflow<Command extends { readonly type: string }, Family, Refusal> {
  readonly commands: CommandShapes<Command>;
  readonly details: DetailShapes<Family>;
  decide(command: Command, state: LedgerState, context: Context): Decision<Family, Refusal>;
}

/** What a workflow answers: an outcome that becomes an update, or a rejection. */
export type Decision<Family, Refusal> = DecisionOf<Contract, Family, Refusal>;
