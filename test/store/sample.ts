import { Engine, openLedger, PartyId, type LedgerState, type Update } from '@coinlab/core';

/** Returns the first updates of a real ledger: its genesis, then an allocation of a party each. */
export function updates(count: number, name: string = 'party'): readonly Update[] {
  let ledger = openLedger();
  while (ledger.state.offset < count) {
    const party = PartyId.of(`${name}-${ledger.state.offset}`);
    const accepted = ledger.submit({ type: 'AllocateParty', party }, { now: ledger.state.time, actAs: [party] });
    if (accepted.ok) ledger = accepted.value.ledger;
  }
  return ledger.updates();
}

export function stateAfter(history: readonly Update[]): LedgerState {
  const engine = new Engine();
  for (const update of history) engine.apply(update);
  return engine.snapshot();
}
