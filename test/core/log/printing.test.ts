import { Amount, codec, openLedger, PartyId, type Update } from '@coinlab/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const dso = PartyId.of('DSO');
const alice = PartyId.of('alice');

/** The update of a transfer to oneself that carries free texts. */
function updateWith(meta: Readonly<Record<string, string>>): Update {
  const ledger = openLedger();
  const now = ledger.state.time;
  const mint = { type: 'Mint', receiver: alice, amount: Amount.of('5') } as const;
  const minted = ledger.submit(mint, { now, actAs: [dso, alice] });
  if (!minted.ok || minted.value.update.kind !== 'Minted') throw new Error('a mint is accepted');
  const inputs = [minted.value.update.detail.holding];
  const split = { type: 'SelfTransfer', sender: alice, amount: Amount.of('2'), inputs, meta } as const;
  const done = minted.value.ledger.submit(split, { now, actAs: [alice] });
  if (!done.ok) throw new Error('a split is accepted');
  return done.value.update;
}

describe('the log prints an update', () => {
  it('as JSON.stringify would, for any texts', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (meta) => {
        const line = codec.encode(updateWith(meta));
        expect(line).toBe(JSON.stringify(JSON.parse(line)));
      }),
    );
  });

  it('with the same key order as JSON.stringify for keys that look like numbers', () => {
    const line = codec.encode(updateWith({ b: 'line\nbreak', 10: '"', a: '\u2028', 9: '\\' }));
    expect(line).toContain('"meta":{"9":"\\\\","10":"\\"","a":"\u2028","b":"line\\nbreak"}');
  });

  it('with a metadata key that JavaScript treats specially', () => {
    const meta = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const update = updateWith(meta);
    expect(codec.encode(update)).toContain('"meta":{"__proto__":"x"}');
    expect(codec.decode(codec.encode(update), 1)).toEqual({ ok: true, value: update });
  });

  it('on one line, which reads back as the same update', () => {
    const update = updateWith({ reason: 'a\r\nb' });
    const line = codec.encode(update);
    expect(line).not.toMatch(/[\r\n]/);
    expect(codec.decode(line, 1)).toEqual({ ok: true, value: update });
  });
});
