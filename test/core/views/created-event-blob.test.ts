import { contractsOf } from '@coinlab/core';
import { createdEventBlob, readCreatedEventBlob, scanContracts } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { external } from '../external-keys.ts';
import { alice, amount, bob, second, worldOf } from '../ledger-fixture.ts';

const world = worldOf();
external(world, 'dave');
const inputs = world.fundEach(alice, ['1', '2.0000000001']);
const meta = { reason: 'Miete für März, 家賃 🏠' };
const executeBefore = second(60);
world.submit(
  { type: 'CreateOffer', sender: alice, receiver: bob, amount: amount('1'), executeBefore, inputs, meta },
  alice,
);
const contracts = [...scanContracts(world.state)];

describe('a created-event blob', () => {
  it.each(contracts)('of a $template decodes back to the contract', (contract) => {
    expect(readCreatedEventBlob(createdEventBlob(contract))).toEqual({ ok: true, value: contract });
  });

  it('is standard base64 and starts like the network’s recent blobs', () => {
    for (const contract of contracts) {
      const blob = createdEventBlob(contract);
      expect(blob.slice(0, 8)).toBe('CgMyLjES');
      expect(Buffer.from(blob, 'base64').toString('base64')).toBe(blob);
    }
  });

  it('has the version and the contract as its two fields', () => {
    const [instruction] = contractsOf(world.state, 'TransferInstruction', bob);
    if (!instruction) throw new Error('there is an offer');
    const bytes = Buffer.from(createdEventBlob(instruction), 'base64');
    expect(bytes.subarray(0, 6)).toEqual(Buffer.from([0x0a, 3, ...Buffer.from('2.1'), 0x12]));
    // The length takes two bytes from 128 on, the low seven bits first.
    const content = bytes.subarray(8);
    expect((bytes[6] ?? 0) - 128 + 128 * (bytes[7] ?? 0)).toBe(content.length);
    expect(JSON.parse(content.toString('utf8'))).toMatchObject({
      template: 'TransferInstruction',
      transfer: { amount: '1.0000000000', meta },
    });
  });

  const [contract] = contracts;
  const good = contract ? createdEventBlob(contract) : '';
  it.each([
    ['nothing', ''],
    ['no base64', 'CgMyLjES?'],
    ['base64 of something else', Buffer.from('hello').toString('base64')],
    ['cut short', good.slice(0, -8)],
    ['longer than it says', Buffer.concat([Buffer.from(good, 'base64'), Buffer.from(' ')]).toString('base64')],
    ['of another version', good.replace('CgMyLjES', 'CgMyLjIS')],
    ['of a contract that lacks a field', Buffer.from('CgMyLjESAnt9', 'base64').toString('base64')],
  ])('that is %s is refused', (_, blob) => {
    const field = expect.stringContaining('createdEventBlob') as unknown;
    expect(readCreatedEventBlob(blob)).toMatchObject({ ok: false, error: { field } });
  });
});
