import type { Examples } from './network.ts';

export const adminExamples: Examples = {
  'POST /v0/admin/users': () => ({ body: { name: 'zoe' } }),
  'POST /v0/admin/users/offboard': () => ({ query: { username: 'judy' } }),
  'GET /v0/admin/domain/data-snapshot': ({ start }) => ({ query: { timestamp: start, force: 'true' } }),
  'GET /v0/admin/transfer-preapprovals': async (network) => (await network.preapproval(), {}),
  'GET /v0/admin/transfer-preapprovals/by-party/{receiver-party}': async (network) => {
    await network.preapproval();
    return { path: { 'receiver-party': network.bob } };
  },
  'DELETE /v0/admin/transfer-preapprovals/by-party/{receiver-party}': async (network) => {
    await network.preapproval();
    return { path: { 'receiver-party': network.bob } };
  },
};
