import { Amount, balanceOf, holdingsOf, PartyId } from '@coinlab/core';
import { importUpdates, type ImportedUpdates } from '@coinlab/lab';
import { DEFAULT_SETTINGS, replayNetwork } from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { pass, scanServer, type ScanServer } from '../http/scan-fixture.ts';
import { alice, bob, fund } from '../http/wallet-fixture.ts';

function imported(...pages: readonly unknown[]): ImportedUpdates {
  const found = importUpdates(pages.map((page, i) => ({ name: `page-${i + 1}.json`, page })));
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

const rowsOf = ({ lines }: ImportedUpdates): readonly string[] =>
  [...lines()].map(({ round, from, to, amount }) => `${round} ${from ?? '-'} ${to} ${Amount.short(amount)}`);

describe('the pages of a coinlab server', () => {
  async function history(): Promise<ScanServer> {
    const scan = await scanServer();
    pass(scan, 1);
    await fund(scan, alice, '50');
    await fund(scan, alice, '7');
    await fund(scan, bob, '3');
    pass(scan, 60);
    const inputs = [...holdingsOf(scan.server.host.state, alice, 'oldest')].map(({ id }) => id);
    await scan.submit({ type: 'MergeHoldings', owner: alice, inputs }, alice);
    pass(scan, 1200);
    const { body: offer } = await scan.post('alice', '/v0/wallet/transfer-offers', {
      receiver_party_id: bob,
      amount: '12.5',
      description: 'rent',
      expires_at: 1_800_000_000_000_000,
      tracking_id: 'rent',
    });
    const accepted = await scan.post('bob', `/v0/wallet/transfer-offers/${offer.offer_contract_id}/accept`);
    expect(accepted.status).toBe(200);
    await scan.server.host.settled?.();
    return scan;
  }

  it('give the payments and balances of the server when the trace is replayed', async () => {
    const scan = await history();
    const { body } = await scan.ask('POST', '/v2/updates', { page_size: 1000 });
    const updates = imported(body);
    expect(updates.summary.rejected).toEqual([]);
    const { report, parties } = replayNetwork(updates.network(), DEFAULT_SETTINGS, null);
    expect(report.failed).toBe(0);
    for (const { party, balance } of parties) {
      const id = PartyId.parse(party);
      if (!id.ok) return expect.unreachable(party);
      expect([party, balance]).toEqual([party, balanceOf(scan.server.host.state, id.value).total]);
    }
    expect(rowsOf(updates)).toContain(`3 ${alice} ${bob} 12.5`);
  });

  it('may be divided, overlap and have any order', async () => {
    const scan = await history();
    const { body } = await scan.ask('POST', '/v2/updates', { page_size: 1000 });
    const { transactions } = body;
    const half = Math.floor(transactions.length / 2);
    const divided = imported(
      { transactions: transactions.slice(half - 2) },
      { transactions: transactions.slice(0, half) },
    );
    expect(rowsOf(divided)).toEqual(rowsOf(imported(body)));
  });
});

const DSO = `DSO::1220${'d'.repeat(64)}`;
const ada = `ada::1220${'a'.repeat(64)}`;
const ben = `ben::1220${'b'.repeat(64)}`;
const cleo = `cleo::1220${'e'.repeat(64)}`;
const dan = `dan::1220${'f'.repeat(64)}`;
const AMULET = `${'3'.repeat(64)}:Splice.Amulet:Amulet`;
const LOCKED = `${'3'.repeat(64)}:Splice.Amulet:LockedAmulet`;

const created = (id: string, owner: string, initialAmount: string, template: string = AMULET): object => {
  const amulet = {
    dso: DSO,
    owner,
    amount: { initialAmount, createdAt: { number: '4' }, ratePerRound: { rate: '0.0' } },
  };
  return {
    event_type: 'created_event',
    event_id: id,
    contract_id: id,
    template_id: template,
    package_name: 'splice-amulet',
    create_arguments:
      template === AMULET ? amulet : { amulet, lock: { holders: [ben], expiresAt: '2026-06-02T00:00:00Z' } },
    created_at: '2026-06-01T00:00:00Z',
    signatories: [DSO, owner],
    observers: [],
  };
};

const exercised = (
  id: string,
  contract: string,
  acting: readonly string[],
  { choice = 'Archive', consuming = true, template = AMULET, children = [] as string[] } = {},
): object => ({
  event_type: 'exercised_event',
  event_id: `${id}`,
  contract_id: contract,
  template_id: template,
  package_name: 'splice-amulet',
  choice,
  choice_argument: {},
  child_event_ids: children,
  exercise_result: {},
  consuming,
  acting_parties: acting,
});

let next = 0;
/** A transaction whose first event is the root of all others. */
function transaction(minute: number, root: object, events: Readonly<Record<string, object>>): object {
  next += 1;
  return {
    update_id: `1220${String(next).padStart(64, '0')}`,
    migration_id: 3,
    workflow_id: '',
    record_time: `2026-06-01T00:${String(minute).padStart(2, '0')}:00.000001Z`,
    synchronizer_id: `global-domain::1220${'c'.repeat(64)}`,
    effective_at: '2026-06-01T00:00:00Z',
    root_event_ids: ['root'],
    events_by_id: { root, ...events },
  };
}

const transfer = (acting: string, children: readonly string[]): object =>
  exercised('root', 'rules', [acting], {
    choice: 'AmuletRules_Transfer',
    consuming: false,
    template: `${'3'.repeat(64)}:Splice.AmuletRules:AmuletRules`,
    children: [...children],
  });

describe('a page in the documented form', () => {
  it('becomes payments: a mint and a transfer with change, but not a merge', () => {
    const { summary, ...updates } = imported({
      transactions: [
        transaction(0, created('c1', ada, '10.0000000000'), {}),
        transaction(11, transfer(ada, ['x1', 'c2', 'c3']), {
          x1: exercised('x1', 'c1', [DSO, ada]),
          c2: created('c2', ben, '4.0'),
          c3: created('c3', ada, '5.9'),
        }),
        transaction(25, created('c4', ben, '1.0'), {}),
        transaction(26, transfer(ben, ['x2', 'x4', 'c5']), {
          x2: exercised('x2', 'c2', [DSO, ben]),
          x4: exercised('x4', 'c4', [DSO, ben]),
          c5: created('c5', ben, '5.0'),
        }),
        { update_id: '1220ff', offset: '7', record_time: '2026-06-01T01:00:00Z', event: { type: 'assignment' } },
      ],
    });
    expect(rowsOf({ summary, ...updates })).toEqual([`1 - ${ada} 10.0`, `2 ${ada} ${ben} 4.0`, `3 - ${ben} 1.0`]);
    expect(summary).toMatchObject({
      transactions: 4,
      reassignments: 1,
      payments: 3,
      minted: 2,
      burned: Amount.of('0.1'),
      opening: 0n,
    });
  });

  it('with coin created before the first page counts the coin for the owner that consumes it', () => {
    const { summary, ...updates } = imported({
      transactions: [
        transaction(0, transfer(ada, ['x1', 'c2', 'c3']), {
          x1: exercised('x1', 'older', [DSO, ada]),
          c2: created('c2', ben, '4.0'),
          c3: created('c3', ada, '96.0'),
        }),
      ],
    });
    expect(rowsOf({ summary, ...updates })).toEqual([`1 - ${ada} 100.0`, `1 ${ada} ${ben} 4.0`]);
    expect(summary.opening).toBe(Amount.of('100'));
  });

  it('counts locked coin for its owner until the receiver accepts the payment', () => {
    const updates = imported({
      transactions: [
        transaction(0, created('c1', ada, '10.0'), {}),
        transaction(1, transfer(ada, ['x1', 'l1']), {
          x1: exercised('x1', 'c1', [DSO, ada]),
          l1: created('l1', ada, '10.0', LOCKED),
        }),
        transaction(20, transfer(ben, ['u1', 'c2']), {
          u1: exercised('u1', 'l1', [DSO, ada, ben], { choice: 'LockedAmulet_Unlock', template: LOCKED }),
          c2: created('c2', ben, '10.0'),
        }),
      ],
    });
    expect(rowsOf(updates)).toEqual([`1 - ${ada} 10.0`, `3 ${ada} ${ben} 10.0`]);
  });

  it('mints rewards to the sender who pays with them', () => {
    const updates = imported({
      transactions: [
        transaction(0, transfer(ada, ['c2', 'c3']), { c2: created('c2', ben, '4.0'), c3: created('c3', ada, '1.0') }),
      ],
    });
    expect(rowsOf(updates)).toEqual([`1 - ${ada} 5.0`, `1 ${ada} ${ben} 4.0`]);
  });

  it('divides the payments of several senders among several receivers', () => {
    const updates = imported({
      transactions: [
        transaction(0, created('c1', ada, '3.0'), {}),
        transaction(0, created('c2', ben, '5.0'), {}),
        transaction(11, transfer(ada, ['x1', 'x2', 'c3', 'c4']), {
          x1: exercised('x1', 'c1', [DSO, ada]),
          x2: exercised('x2', 'c2', [DSO, ben]),
          c3: created('c3', cleo, '6.0'),
          c4: created('c4', dan, '2.0'),
        }),
      ],
    });
    expect(rowsOf(updates).slice(2)).toEqual([`2 ${ada} ${cleo} 3.0`, `2 ${ben} ${cleo} 3.0`, `2 ${ben} ${dan} 2.0`]);
  });

  it('mints to the acting party whose own coins it creates, also when another party only merges', () => {
    const { summary, ...updates } = imported({
      transactions: [
        transaction(0, created('c1', ada, '10.0'), {}),
        transaction(11, transfer(ben, ['x1', 'c2', 'c3']), {
          x1: exercised('x1', 'c1', [DSO, ada]),
          c2: created('c2', ada, '10.0'),
          c3: created('c3', ben, '4.0'),
        }),
      ],
    });
    expect(rowsOf({ summary, ...updates })).toEqual([`1 - ${ada} 10.0`, `2 - ${ben} 4.0`]);
    expect(summary).toMatchObject({ minted: 2, burned: 0n });
  });

  it('ignores events that the page does not include', () => {
    const updates = imported({
      transactions: [
        transaction(0, created('c1', ada, '10.0'), {}),
        transaction(11, transfer(ada, ['hidden', 'x1', 'c2']), {
          x1: exercised('x1', 'c1', [DSO, ada]),
          c2: created('c2', ben, '10.0'),
        }),
      ],
    });
    expect(rowsOf(updates)).toEqual([`1 - ${ada} 10.0`, `2 ${ada} ${ben} 10.0`]);
  });

  it('sums what several transactions burn, and the coin that each owner held before', () => {
    const burning = (minute: number, id: string): object =>
      transaction(minute, transfer(ada, [`x${id}`, `c${id}`, `d${id}`]), {
        [`x${id}`]: exercised(`x${id}`, id, [DSO, ada]),
        [`c${id}`]: created(`c${id}`, ben, '4.0'),
        [`d${id}`]: created(`d${id}`, ada, '5.5'),
      });
    const { summary } = imported({
      transactions: [
        transaction(0, created('1', ada, '10.0'), {}),
        transaction(0, created('2', ada, '10.0'), {}),
        burning(10, '1'),
        burning(20, '2'),
        burning(30, 'old-1'),
        burning(40, 'old-2'),
      ],
    });
    // Coins from before the first page are taken to be worth what their transaction creates.
    expect(summary).toMatchObject({ burned: Amount.of('1'), opening: Amount.of('19'), minted: 2 });
    expect(summary.period).toEqual({
      first: Date.UTC(2026, 5, 1) * 1000 + 1,
      last: Date.UTC(2026, 5, 1, 0, 40) * 1000 + 1,
    });
  });

  it('rejects a transaction with coins of unknown owners, and keeps the others', () => {
    const { summary } = imported({
      transactions: [
        transaction(0, created('c1', ada, '10.0'), {}),
        transaction(1, transfer(ada, ['x1', 'x2', 'c2']), {
          x1: exercised('x1', 'old-1', [DSO, ada]),
          x2: exercised('x2', 'old-2', [DSO, ben]),
          c2: created('c2', ben, '4.0'),
        }),
      ],
    });
    expect(summary.rejected).toMatchObject([
      { reason: 'it uses coins from before the first page with an unknown owner' },
    ]);
    expect(summary.payments).toBe(1);
  });

  it.each([
    [{}, 'page-1.json: transactions: '],
    [{ transactions: [{ update_id: 1 }] }, 'page-1.json: transactions.0'],
    [{ transactions: [] }, 'the 0 transactions of the pages have no payment'],
  ])('is refused: %j', (page, expected) => {
    const found = importUpdates([{ name: 'page-1.json', page }]);
    expect(found.ok ? 'accepted' : found.error).toContain(expected);
  });
});
