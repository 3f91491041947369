import { describe, expect, it } from 'vitest';
import { ledgerServer, type LedgerServer } from './ledger-commands-fixture.ts';

const PATH = '/v2/interactive-submission/preferred-package-version';

const synchronizerOf = (ledger: LedgerServer): string => ledger.one('AmuletRules').config.traffic.activeSynchronizer;

describe('the preferred version of a package', () => {
  it('has the package id of the templates on the ledger', async () => {
    const ledger = await ledgerServer();
    await ledger.tap('alice', '1');
    const { status, body } = await ledger.wallets.get(
      'alice',
      `${PATH}?package-name=splice-amulet&parties=a&parties=b`,
    );
    expect(status).toBe(200);
    const { packageReference, synchronizerId } = body.packagePreference;
    expect(synchronizerId).toBe(synchronizerOf(ledger));
    expect(packageReference).toMatchObject({ packageName: 'splice-amulet', packageVersion: '0.1.14' });
    const { body: packages } = await ledger.wallets.get('alice', '/v2/packages');
    expect(packages.packageIds).toContain(packageReference.packageId);
  });

  it('is absent for a name that the network does not have', async () => {
    const ledger = await ledgerServer();
    const { status, body } = await ledger.wallets.get('alice', `${PATH}?package-name=splice-gold`);
    expect({ status, body }).toEqual({ status: 200, body: {} });
  });

  it('is refused for another synchronizer', async () => {
    const ledger = await ledgerServer();
    const query = '?package-name=splice-amulet&synchronizer-id=other';
    const { status, body } = await ledger.wallets.get('alice', PATH + query);
    expect(status).toBe(400);
    expect(body.cause).toContain('synchronizer-id: got other');
  });
});

describe('preferred packages', () => {
  const path = '/v2/interactive-submission/preferred-packages';
  const requiring = (...names: string[]): object => ({
    packageVettingRequirements: names.map((packageName) => ({ parties: [], packageName })),
  });

  it('are listed once for each requested name, in the order of the request', async () => {
    const ledger = await ledgerServer();
    const names = ['splice-wallet', 'splice-api-token-holding-v1'];
    const { status, body } = await ledger.wallets.post('alice', path, requiring(...names));
    expect(status).toBe(200);
    expect(body.packageReferences.map((each: { packageName: string }) => each.packageName)).toEqual(names);
    expect(body.synchronizerId).toBe(synchronizerOf(ledger));
  });

  it('are refused with the first unknown name', async () => {
    const ledger = await ledgerServer();
    const { status, body } = await ledger.wallets.post('alice', path, requiring('splice-wallet', 'splice-gold'));
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'PACKAGE_NAMES_NOT_FOUND',
      cause: expect.stringContaining('packageVettingRequirements[1].packageName: got splice-gold'),
    });
  });
});
