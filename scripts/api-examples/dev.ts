import type { Ask, Examples, Network } from './network.ts';

export const devExamples: Examples = {
  // The other metrics differ between machines.
  'GET /metrics': () => ({ shows: /^coinlab_updates_total|coinlab_updates_total / }),
  'POST /dev/advance': () => ({ body: { rounds: 1 } }),
  'POST /dev/submit': tap,
  'POST /dev/check': tap,
  'POST /dev/tokens': () => ({ body: { user: 'alice' } }),
  'POST /dev/revert': () => ({ body: { offset: 44 } }),
  'POST /dev/fork': () => ({ body: { name: 'lesson-1' } }),
  'DELETE /dev/forks/{name}': async (network) => {
    await network.call(null, 'POST', '/dev/fork', { name: 'lesson-1' });
    return { path: { name: 'lesson-1' } };
  },
  'POST /dev/snapshot': () => ({ body: { name: 'funded' } }),
  'DELETE /dev/snapshots/{snapshot}': async (network) => {
    await network.call(null, 'POST', '/dev/snapshot', { name: 'funded' });
    return { path: { snapshot: 'funded' } };
  },
  'POST /dev/faults': () => ({ body: { delayMs: 200, errorRate: 0.1, status: 503, path: '/v0/wallet/tap' } }),
  'POST /dev/reassign': async (network) => {
    const request = { choiceArguments: {} };
    const { factoryId } = await network.call(null, 'POST', '/registry/allocation/v2/settlement-factory', request);
    return { body: { contractId: factoryId } };
  },
  'GET /dev/at/{moment}/{path}': () => ({ path: { moment: '30', path: 'dev/clock' } }),
  'POST /dev/at/{moment}/{path}': (network) => ({ path: { moment: '44', path: 'dev/check' }, ...tap(network) }),
  'GET /dev/events': () => ({ query: { from: '42' }, until: 'id: 44' }),
};

function tap({ alice }: Network): Ask {
  return { body: { actAs: [alice], command: { type: 'Tap', receiver: alice, amount: '5.0' } } };
}
