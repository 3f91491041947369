import type { Amount } from './amount.js';
import type { ContractId, PartyId } from './ids.js';
import type { Shape } from './shape.js';
import type { Instant } from './time.js';

/** The ledger time at which a command takes effect, and the parties that authorise it. The caller passes both with the command. */
export interface Context {
  readonly now: Instant;
  readonly actAs: readonly PartyId[];
}

export interface ContractBase {
  readonly id: ContractId;
  readonly template: string;
}

/** Fields of every update's detail; the check of conservation reads them. */
export interface ValueDetail {
  /** Coin that the update mints, in units of 10⁻¹⁰. For its holdings `Σ created − Σ archived = minted − burned`. */
  readonly minted: Amount;
  readonly burned: Amount;
}

export type DetailShapes<Family> = { readonly [Kind in keyof Family]: Shape<Family[Kind]> };

/** An update before it gets its offset and id. */
export interface Outcome<Contract extends ContractBase, Kind extends string, Detail> {
  readonly kind: Kind;
  readonly archived: readonly ContractId[];
  readonly created: readonly Contract[];
  readonly detail: Detail;
  /** The signers, if signatures authorised the command; default: the acting parties. */
  readonly actAs?: readonly PartyId[];
}

export type OutcomeOf<Contract extends ContractBase, Family> = {
  [Kind in keyof Family & string]: Outcome<Contract, Kind, Family[Kind]>;
}[keyof Family & string];

export type CommandShapes<Command extends { readonly type: string }> = {
  readonly [Type in Command['type']]: Shape<Omit<Extract<Command, { readonly type: Type }>, 'type'>>;
};
