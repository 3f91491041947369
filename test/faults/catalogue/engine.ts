import { faultIn, type Fault } from '../fault.ts';

/** What holds for commands of any kind: identity, order, refusals that leave no trace. */
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
    find: 'if (!outcome.ok) return outcome;',
    replace: `if (!outcome.ok) {
      this.#state.nextContract += 1;
      return outcome;
    }`,
  }),
  faultIn('log/codec.ts', {
    name: 'order-changed-on-replay',
    what: 'A log that is read back names what an update archived in another order.',
    find: "archived: contractIds.read(json['archived'], 'archived', faults),",
    replace: "archived: [...contractIds.read(json['archived'], 'archived', faults)].sort((a, b) => b - a),",
  }),
  faultIn('rules/plain-transfer.ts', {
    name: 'plain-change-loses-unit',
    what: 'A transfer that is decided in numbers gives 10⁻¹⁰ too little change.',
    find: 'plain.change = worth - paid;',
    replace: 'plain.change = Math.max(0, worth - paid - 1);',
  }),
  faultIn('rules/plain-transfer.ts', {
    name: 'plain-of-another',
    what: "A transfer that is decided in numbers takes another receiver's preapproval.",
    find: 'preapproval.receiver !== receiver || ',
    replace: '',
  }),
  faultIn('contracts/state/packed-coins.ts', {
    name: 'plain-input-twice',
    what: 'A transfer that is decided in numbers counts one coin twice.',
    find: 'if (index < 0 || (seen & bit) !== 0) return -1;',
    replace: 'if (index < 0) return -1;',
  }),
  faultIn('kernel/ids.ts', {
    name: 'id-from-clock',
    what: "The id of an update depends on the computer's clock.",
    find: 'const a = random(seed, offset, 1);',
    replace: 'const a = random(Math.floor(performance.now() * 1000), offset, 1);',
  }),
  // Keeping what was minted would be a fault that nobody can see: no attempt fails after it has minted anything.
  faultIn('contracts/effects.ts', {
    name: 'rollback-keeps-archived',
    what: 'What a failed attempt archived stays archived although the attempt is forgotten.',
    find: 'this.#archived.splice(0, Infinity, ...mark.archived);',
    replace: '',
  }),
  faultIn('submit.ts', {
    name: 'time-goes-back',
    what: 'A command may lie before the one that came last.',
    find: 'if (context.now < state.time) return',
    replace: 'if (context.now + 1n < state.time) return',
  }),
];
