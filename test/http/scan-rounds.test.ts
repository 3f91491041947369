import { describe, expect, it } from 'vitest';
import { advanceRounds, dso, pass, scanServer, type ScanServer } from './scan-fixture.ts';

const NOTHING_CACHED = { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] };
const ROUNDS = '/v0/open-and-issuing-mining-rounds';

/** Rounds 1 to 3 are open and round 0 is issuing. */
async function withIssuingRound(): Promise<ScanServer> {
  const scan = await scanServer();
  await advanceRounds(scan);
  const { host } = scan.server;
  const summarizing = await host.submit({ type: 'StartIssuing', round: 0 as never }, [dso]);
  expect(summarizing).toMatchObject({ ok: true });
  return scan;
}

const numbersIn = (rounds: Record<string, { contract: { payload: { round: { number: string } } } }>): string[] =>
  Object.values(rounds).map(({ contract }) => contract.payload.round.number);

describe('the open and issuing rounds', () => {
  it('are complete for a caller that sends no cached contracts', async () => {
    const scan = await withIssuingRound();
    const { status, body } = await scan.ask('POST', ROUNDS, NOTHING_CACHED);
    expect(status).toBe(200);
    expect(numbersIn(body.open_mining_rounds)).toEqual(['1', '2', '3']);
    expect(numbersIn(body.issuing_mining_rounds)).toEqual(['0']);
    for (const [id, { contract }] of Object.entries<any>(body.open_mining_rounds))
      expect(contract.contract_id).toBe(id);
  });

  it('are omitted if the caller has them cached, and absent if archived', async () => {
    const scan = await scanServer();
    const first = (await scan.ask('POST', ROUNDS, NOTHING_CACHED)).body;
    const cached = Object.keys(first.open_mining_rounds);
    await advanceRounds(scan);
    const { body } = await scan.ask('POST', ROUNDS, {
      ...NOTHING_CACHED,
      cached_open_mining_round_contract_ids: cached,
    });
    expect(cached[0] && body.open_mining_rounds[cached[0]]).toBeUndefined();
    for (const id of cached.slice(1)) expect(Object.keys(body.open_mining_rounds[id])).toEqual(['domain_id']);
    const added = Object.keys(body.open_mining_rounds).filter((id) => !cached.includes(id));
    expect(added).toHaveLength(1);
    expect(body.open_mining_rounds[added[0] ?? ''].contract.payload.round).toEqual({ number: '3' });
  });

  it('have a time to live until the next advance', async () => {
    const scan = await scanServer();
    const ttl = async (): Promise<number> =>
      (await scan.ask('POST', ROUNDS, NOTHING_CACHED)).body.time_to_live_in_microseconds;
    expect(await ttl()).toBe(600_000_000);
    pass(scan, 100);
    expect(await ttl()).toBe(500_000_000);
    pass(scan, 1_000);
    expect(await ttl()).toBe(0);
  });

  it.each([{}, { ...NOTHING_CACHED, cached_issuing_round_contract_ids: 'x' }])(
    'are refused with 400 for the body %j',
    async (body) => {
      expect((await (await scanServer()).ask('POST', ROUNDS, body)).status).toBe(400);
    },
  );
});

describe('the closed rounds', () => {
  it('are an empty list at first, and contain a round once it is closed', async () => {
    const scan = await withIssuingRound();
    expect((await scan.ask('GET', '/v0/closed-rounds')).body).toEqual({ rounds: [] });
    pass(scan, 7_200);
    await scan.submit({ type: 'CloseRound', round: 0 as never }, dso);
    const { status, body } = await scan.ask('GET', '/v0/closed-rounds');
    expect(status).toBe(200);
    expect(body.rounds).toHaveLength(1);
    expect(body.rounds[0]).toMatchObject({ payload: { round: { number: '0' } } });
    expect(body.rounds[0].template_id).toContain('Splice.Round:ClosedMiningRound');
  });
});
