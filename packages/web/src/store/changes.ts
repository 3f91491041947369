import type { Balance } from '../api/shapes.js';

/** A list is null if anything in it may have changed. */
export interface Changes {
  readonly templates: ReadonlySet<string> | null;
  readonly parties: ReadonlyMap<string, Balance | null> | null;
  /** Whether snapshots, forks, automation or faults may have changed. */
  readonly controls: boolean;
  readonly isNewRound: boolean;
}

export interface Follows {
  /** Null: a party that is not known yet. */
  readonly party?: string | null;
  readonly templates?: readonly string[];
  readonly controls?: true;
  /** Another round is in use: holding fees change. */
  readonly round?: true;
}

export const EVERYTHING: Changes = { templates: null, parties: null, controls: true, isNewRound: true };

export function concern(changes: Changes, conditions: readonly Follows[]): boolean {
  const { templates, parties } = changes;
  return conditions.some(
    (one) =>
      (one.controls !== true || changes.controls) &&
      (one.round !== true || changes.isNewRound) &&
      (one.party === undefined || parties === null || (one.party !== null && parties.has(one.party))) &&
      (one.templates === undefined || templates === null || one.templates.some((name) => templates.has(name))),
  );
}

export function changesIn(event: ChangesEvent, isNewRound: boolean): Changes {
  return {
    templates: event.templates && new Set(event.templates),
    parties: event.parties && new Map(event.parties.map(({ party, balance }) => [party, balance])),
    controls: event.controls,
    isNewRound,
  };
}

export interface ChangesEvent {
  readonly offset: number;
  readonly time: string;
  readonly round: number | null;
  readonly speed: number;
  readonly templates: readonly string[] | null;
  readonly parties: readonly { readonly party: string; readonly balance: Balance | null }[] | null;
  readonly controls: boolean;
}
