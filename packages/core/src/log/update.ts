import type { Contract } from '../contracts/contract.js';
import type { ContractId, Offset, PartyId, UpdateId } from '../kernel/ids.js';
import type { Instant } from '../kernel/time.js';
import type { UpdateDetails, UpdateKind } from '../register/register.js';

export type { UpdateDetails, UpdateKind };

/** The only kind of event: archived contracts, created contracts, and a detail by kind. Replay needs no rules. */
export interface UpdateOf<Kind extends UpdateKind> {
  readonly offset: Offset;
  readonly updateId: UpdateId;
  /** Ledger time of the update; never decreases along the log. */
  readonly recordTime: Instant;
  readonly kind: Kind;
  /** Parties that authorised the update. */
  readonly actAs: readonly PartyId[];
  readonly archived: readonly ContractId[];
  /** Whole contracts, in order of their ids. */
  readonly created: readonly Contract[];
  readonly detail: UpdateDetails[Kind];
}

/** An update of any kind, told apart by `kind`. */
export type Update = { [Kind in UpdateKind]: UpdateOf<Kind> }[UpdateKind];

export function isUpdateOf<Kind extends UpdateKind>(
  update: Update,
  ...kinds: readonly Kind[]
): update is Extract<Update, { readonly kind: Kind }> {
  return kinds.some((kind) => kind === update.kind);
}
