import { Amount, GENESIS_TIME, holdingsOf, Instant, openEngine, type Command, type PartyId } from '@coinlab/core';
import { TRACKING_ID_KEY } from '@coinlab/core/rules';
import { expect, it } from 'vitest';
import { memoryInUse } from '../memory.ts';
import { alice, bob } from './ledger-fixture.ts';

it('retains at most 320 bytes for an ended offer with a tracking id', async () => {
  const engine = openEngine();
  const submit = (command: Command, actor: PartyId) => {
    const submitted = engine.submit(command, { now: GENESIS_TIME, actAs: [actor] });
    if (!submitted.ok) throw new Error(submitted.error.code);
    return submitted.value.update;
  };
  const run = (from: number, until: number): void => {
    for (let number = from; number < until; number++) {
      const [coin] = holdingsOf(engine.state, alice, 'largest');
      const inputs = coin ? [coin.id] : [];
      // Like a parsed request: texts of its own, not views of parts.
      const meta = { [TRACKING_ID_KEY]: Buffer.from(`payment-${number}`).toString() };
      const receiver = Buffer.from(bob).toString() as PartyId;
      const terms = { sender: alice, receiver, amount: Amount.one, executeBefore: Instant.latest, inputs, meta };
      const offered = submit({ type: 'CreateOffer', ...terms }, alice);
      if (offered.kind !== 'TransferOffered') throw new Error(offered.kind);
      submit({ type: 'RejectOffer', instruction: offered.detail.instruction }, bob);
    }
  };
  submit({ type: 'Tap', receiver: alice, amount: Amount.of('1000') }, alice);
  submit({ type: 'Tap', receiver: bob, amount: Amount.one }, bob);
  run(0, 5_000);
  const before = await memoryInUse();
  run(5_000, 25_000);
  const perOffer = ((await memoryInUse()) - before) / 20_000;
  expect(perOffer).toBeGreaterThan(0);
  expect(perOffer).toBeLessThan(320);
}, 120_000);
