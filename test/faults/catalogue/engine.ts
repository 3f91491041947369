import { faultIn, type Fault } from '../fault.ts';

/** Faults in commands of any kind: ids, order, refusals that change the state. */
export const engineFaults: readonly Fault[] = [
  faultIn('rules/tracking.ts', {
    name: 'tracking-id-reused',
    what: 'A tracking id can be used again.',
    find: "return known ? { code: 'DUPLICATE_TRACKING_ID', trackingId } : null;",
    replace: "return known?.status === 'created' ? { code: 'DUPLICATE_TRACKING_ID', trackingId } : null;",
  }),
  faultIn('engine.ts', {
    name: 'refusal-changes-state',
    what: 'A refused command uses up a contract id.',
    check: 'engine',
    find: 'if (accepted.ok) this.#take(accepted.value.entry);',
    replace: `if (accepted.ok) this.#take(accepted.value.entry);
    else this.#state.nextContract += 1;`,
  }),
  faultIn('log/codec.ts', {
    name: 'order-changed-on-replay',
    what: 'A replayed log has the archived ids of an update in another order.',
    find: "archived: readPart('archived', contractIds, json['archived'], faults, known),",
    replace: "archived: [...readPart('archived', contractIds, json['archived'], faults, known)].sort((a, b) => b - a),",
  }),
  faultIn('rules/transfer/packed-transfer.ts', {
    name: 'packed-pays-unit-less',
    what: 'A packed payment moves 10⁻¹⁰ from the paid amount to the change.',
    find: 'inputs, paid, worth - paid, preapproval,',
    replace: 'inputs, Math.max(1, paid - 1), worth - Math.max(1, paid - 1), preapproval,',
  }),
  faultIn('rules/transfer/packed-transfer.ts', {
    name: 'packed-of-another',
    what: "A packed transfer uses another receiver's preapproval.",
    find: 'preapproval.receiver !== receiver || ',
    replace: '',
  }),
  faultIn('contracts/state/packed-coins.ts', {
    name: 'packed-input-twice',
    what: 'A packed transfer counts one coin twice.',
    find: 'if (coin < 0 || (seen & bit) !== 0) return -1;',
    replace: 'if (coin < 0) return -1;',
  }),
  faultIn('kernel/ids.ts', {
    name: 'id-from-clock',
    what: "The id of an update depends on the computer's clock.",
    find: 'const a = random(seed, offset, 1);',
    replace: 'const a = random(Math.floor(performance.now() * 1000), offset, 1);',
  }),
  // Only the rollback of archived contracts is broken. Breaking the rollback of minting would change nothing,
  // because no attempt fails after minting.
  faultIn('contracts/effects.ts', {
    name: 'rollback-keeps-archived',
    what: 'Contracts archived by a failed attempt stay archived after its rollback.',
    find: 'this.#archived.splice(0, Infinity, ...mark.archived);',
    replace: '',
  }),
  faultIn('submit.ts', {
    name: 'time-goes-back',
    what: 'A command may have an earlier time than the previous command.',
    find: 'if (context.now < state.time) return',
    replace: 'if (context.now + 1n < state.time) return',
  }),
];
