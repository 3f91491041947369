import { PartyId } from './ids.js';

/** Recognises party ids. */
export interface Parties {
  /**
   * Returns a value that is a party id; undefined for any other value. A ledger returns its own text of a party that it
   * knows, because contracts would keep the copies of requests in memory.
   */
  partyOf(value: unknown): PartyId | undefined;
}

export const anyParty: Parties = { partyOf: (value) => (PartyId.is(value) ? value : undefined) };

/** Then all are forgotten, because readers of lines live as long as a process. */
const MOST_TEXTS = 100_000;

/** Returns the first text of each party, so that the updates of a log share it: it is matched and hashed once. */
export function firstTexts(): Parties {
  const texts = new Map<unknown, PartyId>();
  return {
    partyOf(value) {
      let text = texts.get(value);
      if (text !== undefined || !PartyId.is(value)) return text;
      if (texts.size === MOST_TEXTS) texts.clear();
      texts.set(value, (text = value));
      return text;
    },
  };
}
