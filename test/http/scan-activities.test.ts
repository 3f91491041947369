import { beforeAll, describe, expect, it } from 'vitest';
import { scanServer, type ScanServer } from './scan-fixture.ts';
import { alice, bob, fund, inSeconds, NO_CONTRACT } from './wallet-fixture.ts';

/*
 * Coin activities in the formats of earlier releases.
 * Source: specification of the API §4.3, annex A.2.
 */

let scan: ScanServer;
let all: readonly any[];
const TRANSFERS = '/v0/wallet/token-standard/transfers';
const transactions = async (body: object): Promise<any[]> =>
  (await scan.ask('POST', '/v0/transactions', body)).body.transactions;
const activities = async (body: object): Promise<any[]> =>
  (await scan.ask('POST', '/v0/activities', body)).body.activities;

/** Alice taps, makes three offers (accepted, withdrawn, rejected), and pays under a preapproval. */
beforeAll(async () => {
  scan = await scanServer();
  const { validator } = scan.server;
  await fund(scan, alice, '100');
  await fund(scan, validator, '100');
  for (const [verb, user] of [
    ['accept', 'bob'],
    ['withdraw', 'alice'],
    ['reject', 'bob'],
  ] as const) {
    const wish = {
      receiver_party_id: bob,
      amount: '5',
      description: 'rent',
      expires_at: inSeconds(600),
      tracking_id: verb,
    };
    const { body } = await scan.post('alice', TRANSFERS, wish);
    await scan.post(user, `${TRANSFERS}/${body.output.transfer_instruction_cid}/${verb}`);
  }
  await scan.post('bob', '/v0/wallet/transfer-preapproval');
  await scan.post('alice', '/v0/wallet/transfer-preapproval/send', {
    receiver_party_id: bob,
    amount: '1.5',
    deduplication_id: 'x',
  });
  all = await transactions({ page_size: 1000 });
});

describe('activities', () => {
  it('are listed with their kind, oldest first', () => {
    const kinds = all.map((one) => [
      one.transaction_type,
      one.transfer?.transfer_kind ?? one.abort_transfer_instruction?.abort_kind ?? null,
    ]);
    expect(kinds.slice(0, 8)).toEqual([
      ['devnet_tap', null],
      ['devnet_tap', null],
      ['transfer', 'create_transfer_instruction'],
      ['transfer', 'transfer_instruction_accept'],
      ['transfer', 'create_transfer_instruction'],
      ['abort_transfer_instruction', 'withdraw'],
      ['transfer', 'create_transfer_instruction'],
      ['abort_transfer_instruction', 'reject'],
    ]);
    expect(kinds.at(-1)).toEqual(['transfer', 'preapproval_send']);
    for (const { event_id, round, domain_id } of all) {
      expect(event_id).toMatch(/^#1220[0-9a-f]{64}:\d+$/);
      expect(round).toBe(1);
      expect(domain_id).toMatch(/^global-domain::/);
    }
    expect(all[0]).toMatchObject({ tap: { amulet_owner: alice, amulet_amount: '100.0000000000' } });
  });

  it('contain sender, receivers, change and balance changes', () => {
    const { transfer } = all.at(-1);
    expect(transfer).toMatchObject({
      sender: { party: alice, sender_change_amount: '93.5000000000', sender_fee: '0.0000000000' },
      receivers: [{ party: bob, amount: '1.5000000000', receiver_fee: '0.0000000000' }],
    });
    const changes = Object.fromEntries(
      transfer.balance_changes.map((one: any) => [one.party, one.change_to_initial_amount_as_of_round_zero]),
    );
    // Created in round 1: as of round 0 a coin is worth one round's fee more.
    expect(changes).toEqual({ [alice]: '-1.5038051800', [bob]: '1.5038051800' });
    const [offer, acceptance] = [all[2].transfer, all[3].transfer];
    expect(offer).toMatchObject({
      description: 'rent',
      transferInstructionReceiver: bob,
      transferInstructionAmount: '5.0000000000',
      receivers: [],
    });
    expect(acceptance.transferInstructionCid).toBe(offer.transferInstructionCid);
    expect(acceptance.receivers).toMatchObject([{ party: bob, amount: '5.0000000000' }]);
    expect(all[5].abort_transfer_instruction.transfer_instruction_cid).toBe(all[4].transfer.transferInstructionCid);
  });

  it('are the same in both endpoints, which can list them newest first', async () => {
    expect(await transactions({ page_size: 1000, sort_order: 'desc' })).toEqual(all.toReversed());
    const named = all.map(({ transaction_type, ...told }) => ({ activity_type: transaction_type, ...told }));
    expect(await activities({ page_size: 1000 })).toEqual(named.toReversed());
  });

  it('are paged without gaps or duplicates', async () => {
    for (const sort_order of ['asc', 'desc']) {
      const read: any[] = [];
      for (;;) {
        const page_end_event_id = read.at(-1)?.event_id;
        const page = await transactions({ page_size: 4, sort_order, page_end_event_id });
        read.push(...page);
        if (page.length === 0) break;
      }
      expect(read).toEqual(sort_order === 'asc' ? all : all.toReversed());
    }
    const [newest] = await activities({ page_size: 1 });
    const rest = await activities({ page_size: 1000, begin_after_id: newest.event_id });
    expect(rest).toHaveLength(all.length - 1);
  });

  it.each([
    ['/v0/transactions', 'page_end_event_id'],
    ['/v0/activities', 'begin_after_id'],
  ])('are refused at %s with 400 without a page size, and with 404 after an unknown id', async (path, after) => {
    for (const body of [{}, { page_size: 0 }, { page_size: 1001 }, { page_size: 'x' }])
      expect((await scan.ask('POST', path, body)).status).toBe(400);
    for (const id of ['x', NO_CONTRACT, `#1220${'ab'.repeat(32)}:0`, `${all[0].event_id}9`])
      expect((await scan.ask('POST', path, { page_size: 1, [after]: id })).status, id).toBe(404);
  });
});
