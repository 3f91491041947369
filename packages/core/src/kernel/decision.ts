import type { Amount } from './amount.js';
import type { ContractId, PartyId } from './ids.js';
import type { Shape } from './shape.js';
import type { Instant } from './time.js';

/** What the shell supplies with a command: the ledger time at which it takes effect and who authorises it. */
export interface Context {
  readonly now: Instant;
  readonly actAs: readonly PartyId[];
}

export interface ContractBase {
  readonly id: ContractId;
  readonly template: string;
}

/** What the detail of every update has, so that conservation is checked in the same way for all of them. */
export interface ValueDetail {
  /** Coin that came into being, in units of 10⁻¹⁰: `Σ created − Σ archived = minted − burned`. */
  readonly minted: Amount;
  /** Coin that ceased to be. */
  readonly burned: Amount;
}

export type DetailShapes<Family> = { readonly [Kind in keyof Family]: Shape<Family[Kind]> };

/** An update before it has a place in the log. */
export interface Outcome<Contract extends ContractBase, Kind extends string, Detail> {
  readonly kind: Kind;
  readonly archived: readonly ContractId[];
  readonly created: readonly Contract[];
  readonly detail: Detail;
  /** Who authorised it, when signatures did; left out: the parties that act. */
  readonly actAs?: readonly PartyId[];
}

/** One outcome per kind of a family: a union that `kind` tells apart. */
export type OutcomeOf<Contract extends ContractBase, Family> = {
  [Kind in keyof Family & string]: Outcome<Contract, Kind, Family[Kind]>;
}[keyof Family & string];

/** The shapes of a union of commands, by their type; each leaves the field `type` out. */
export type CommandShapes<Command extends { readonly type: string }> = {
  readonly [Type in Command['type']]: Shape<Omit<Extract<Command, { readonly type: Type }>, 'type'>>;
};
