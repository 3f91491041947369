import {
  Amount,
  type ContractId,
  GENESIS_TIME,
  holdingsOf,
  Instant,
  openEngine,
  PartyId,
  Round,
  type Command,
  type Engine,
  type Update,
} from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { dustExpiringAt } from '@coinlab/core/views';
import { expect, it } from 'vitest';
import { memoryInUse } from '../memory.ts';
import { alice, bob } from './ledger-fixture.ts';

function submit(engine: Engine, command: Command, actor: PartyId) {
  const submitted = engine.submit(command, { now: GENESIS_TIME, actAs: [actor] });
  if (!submitted.ok) throw new Error(submitted.error.code);
  return submitted.value.update;
}

it('retains at most 120 bytes for an ended offer with a tracking id', async () => {
  const engine = openEngine();
  const run = (from: number, until: number): void => {
    for (let number = from; number < until; number++) {
      const [coin] = holdingsOf(engine.state, alice, 'largest');
      const inputs = coin ? [coin.id] : [];
      // Like a parsed request: texts of its own, not views of parts.
      const meta = { [TRACKING_ID_KEY]: Buffer.from(`payment-${number}`).toString() };
      const receiver = Buffer.from(bob).toString() as PartyId;
      const terms = { sender: alice, receiver, amount: Amount.one, executeBefore: Instant.latest, inputs, meta };
      const offered = submit(engine, { type: 'CreateOffer', ...terms }, alice);
      if (offered.kind !== 'TransferOffered') throw new Error(offered.kind);
      submit(engine, { type: 'RejectOffer', instruction: offered.detail.instruction }, bob);
    }
  };
  submit(engine, { type: 'Tap', receiver: alice, amount: Amount.of('1000') }, alice);
  submit(engine, { type: 'Tap', receiver: bob, amount: Amount.one }, bob);
  run(0, 5_000);
  const before = await memoryInUse();
  run(5_000, 25_000);
  const perOffer = ((await memoryInUse()) - before) / 20_000;
  expect(perOffer).toBeGreaterThan(0);
  expect(perOffer).toBeLessThan(120);
}, 120_000);

it('keeps no keys of archived records, however often the same ones come back', async () => {
  const engine = openEngine();
  let archived: readonly ContractId[] = [];
  /** Puts a record with one of three tracking ids in the place of the last one. */
  const replace = (number: number): void => {
    const id = engine.state.nextContract as ContractId; // a cast: the next number is free
    const outcome = { status: 'created', failure: null, reason: null, contract: null } as const;
    const record = { owner: alice, receiver: bob, trackingId: `payment-${number % 3}`, ...outcome };
    engine.apply({
      offset: (engine.state.offset + 1) as Update['offset'],
      updateId: '01KDT00000000000000000HAND' as Update['updateId'],
      recordTime: engine.state.time,
      kind: 'PartyAllocated',
      actAs: [],
      archived,
      created: [{ id, template: 'TrackingRecord', subject: 'transfer', ...record }],
      detail: { minted: Amount.zero, burned: Amount.zero, party: alice },
    });
    archived = [id];
  };
  for (let i = 0; i < 5_000; i++) replace(i);
  const before = await memoryInUse();
  for (let i = 0; i < 60_000; i++) replace(i);
  expect(((await memoryInUse()) - before) / 60_000).toBeLessThan(10);
}, 120_000);

it('keeps few spent coins for lookups of dust, however many contracts are no coins', async () => {
  const engine = openEngine();
  for (let i = 0; i < 30_000; i++)
    submit(engine, { type: 'AllocateParty', party: PartyId.of(`p${i}`) }, PartyId.of(`p${i}`));
  const run = (coins: number): void => {
    for (let i = 0; i < coins; i++) {
      submit(engine, { type: 'Tap', receiver: alice, amount: Amount.of('0.01') }, alice);
      if (i % 20 < 19) continue;
      // Looks up dust while all are active, and spends them.
      expect([...dustExpiringAt(engine.state, Round.of(0))]).toEqual([]);
      const inputs = Array.from(holdingsOf(engine.state, alice, 'smallest'), ({ id }) => id);
      submit(engine, { type: 'MergeHoldings', owner: alice, inputs }, alice);
    }
  };
  run(2_000);
  const before = await memoryInUse();
  run(40_000);
  expect(((await memoryInUse()) - before) / 40_000).toBeLessThan(20);
}, 120_000);
