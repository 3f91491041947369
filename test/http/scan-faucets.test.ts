import { PartyId, Round } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { advanceRounds, dso, pass, scanServer, sv, type ScanServer } from './scan-fixture.ts';
import { alice, bob } from './wallet-fixture.ts';

const TOP = '/v0/top-validators-by-validator-faucets';

/** Alice records rounds 1 and 3, bob round 3. The server's own validator records none. */
async function withFaucets(release: string): Promise<ScanServer> {
  const scan = await scanServer({ release, automation: { rewards: false } });
  for (const validator of [alice, bob])
    await scan.submit({ type: 'GrantValidatorLicense', validator, sponsor: sv }, dso);
  const record = (validator: PartyId, round: number) =>
    scan.submit({ type: 'RecordValidatorLivenessActivity', validator, round: Round.of(round) }, validator);
  await record(alice, 1);
  for (let i = 0; i < 3; i++) await advanceRounds(scan);
  await record(alice, 3);
  await record(bob, 3);
  return scan;
}

const OF_ALICE = {
  validator: alice,
  numRoundsCollected: 2,
  numRoundsMissed: 1,
  firstCollectedInRound: 1,
  lastCollectedInRound: 3,
};
const OF_BOB = {
  validator: bob,
  numRoundsCollected: 1,
  numRoundsMissed: 0,
  firstCollectedInRound: 3,
  lastCollectedInRound: 3,
};

describe('the ranking of validators by collected rounds', () => {
  it.each(['0.6.5', '0.6.1', '0.5', '0.5.18'])('is served in release %s', async (release) => {
    const scan = await withFaucets(release);
    expect(await scan.ask('GET', `${TOP}?limit=1000`)).toEqual({
      status: 200,
      body: { validatorsByReceivedFaucets: [OF_ALICE, OF_BOB] },
    });
    expect((await scan.ask('GET', `${TOP}?limit=1`)).body).toEqual({ validatorsByReceivedFaucets: [OF_ALICE] });
  });

  it.each(['0.6.6', '0.6.10', '0.7', '1.0.0'])('is answered with 404 in release %s', async (release) => {
    const scan = await scanServer({ release });
    expect((await scan.call(null, 'GET', `${TOP}?limit=1`)).status).toBe(404);
  });

  it.each(['', '?limit=', '?limit=0', '?limit=-1', '?limit=1.5', '?limit=x', '?limit=1001'])(
    'is refused with 400 for the request %j',
    async (query) => {
      expect((await (await scanServer({ release: '0.6.5' })).ask('GET', `${TOP}${query}`)).status).toBe(400);
    },
  );
});

describe('the statistics of requested validators', () => {
  const path = '/v0/validators/validator-faucets';

  it('are in the order of the request, without unknown validators', async () => {
    const scan = await withFaucets('0.6.6');
    const ids = [bob, PartyId.of('unknown'), 'x', alice].map((id) => `validator_ids=${id}`).join('&');
    expect(await scan.ask('GET', `${path}?${ids}`)).toEqual({
      status: 200,
      body: { validatorsReceivedFaucets: [OF_BOB, OF_ALICE] },
    });
    expect((await scan.ask('GET', `${path}?validator_ids=${bob}`)).body).toEqual({
      validatorsReceivedFaucets: [OF_BOB],
    });
  });

  it('are refused with 400 when the request names no validator', async () => {
    expect((await (await scanServer()).ask('GET', path)).status).toBe(400);
  });
});

describe('the validator licenses', () => {
  it('are listed in pages, newest first', async () => {
    const scan = await withFaucets('0.6.6');
    pass(scan, 1);
    const path = '/v0/admin/validator/licenses';
    const validators = ({ body }: { body: any }): string[] =>
      body.validator_licenses.map(({ payload }: any) => payload.validator);
    const first = await scan.ask('GET', `${path}?limit=2`);
    expect(validators(first)).toEqual([bob, alice]);
    const rest = await scan.ask('GET', `${path}?limit=2&after=${first.body.next_page_token}`);
    expect(validators(rest)).toEqual([scan.server.validator]);
    expect(rest.body).not.toHaveProperty('next_page_token');
    expect(validators(await scan.ask('GET', path))).toHaveLength(3);
    for (const query of ['limit=0', 'limit=1001', 'after=x'])
      expect((await scan.ask('GET', `${path}?${query}`)).status).toBe(400);
  });
});
