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
  faultIn('kernel/ids.ts', {
    name: 'id-from-clock',
    what: "The id of an update depends on the computer's clock.",
    find: 'return `${time}${eight(seed, offset, 1)}${eight(seed, offset, 2)}` as UpdateId;',
    replace:
      'return `${time}${eight(Math.floor(performance.now() * 1000), offset, 1)}${eight(seed, offset, 2)}` as UpdateId;',
  }),
  // Keeping what was minted would be a fault that nobody can see: no attempt fails after it has minted anything.
  faultIn('contracts/effects.ts', {
    name: 'rollback-keeps-archived',
    what: 'What a failed attempt archived stays archived although the attempt is forgotten.',
    find: 'this.#gone.clear();',
    replace: '',
  }),
  faultIn('submit.ts', {
    name: 'time-goes-back',
    what: 'A command may lie before the one that came last.',
    find: 'if (context.now < state.time) return',
    replace: 'if (context.now + 1n < state.time) return',
  }),
];
