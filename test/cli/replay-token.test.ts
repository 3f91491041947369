import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from 'coinlab';
import { codec } from '@coinlab/core';
import { formatReplayToken, GENERATOR, KIT_VERSION, type ReplayToken } from '@coinlab/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { coinlab, type Ended } from './coinlab.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinlab-token-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const token: ReplayToken = {
  kit: KIT_VERSION,
  generator: GENERATOR,
  system: 'engine',
  seed: 7,
  path: '2',
  starts: ['feeless'],
  start: null,
  laws: null,
  maxCommands: 12,
  commands: ['Tap', 'CreateOffer', 'AcceptOffer'],
};

const replayed = (...args: readonly string[]): Promise<Ended> => coinlab('replay-token', ...args);

describe('coinlab replay-token', () => {
  it('replays a token’s commands on the system named in the token, or on another system, without a failure', async () => {
    const named = await replayed(formatReplayToken(token));
    expect(named).toMatchObject({ code: EXIT.ok, err: '' });
    expect(named.out).toMatch(/^✓ nothing is wrong\n {2}1\. 2026-.* (Tap|CreateOffer|AcceptOffer) .* as /);
    const other = await replayed(formatReplayToken(token), '--system', 'ledger');
    expect(other).toMatchObject({ code: EXIT.ok, out: named.out });
    expect(other.err).toContain('the token comes from engine');
  });

  it('writes the log of the replay', async () => {
    const file = join(folder, 'run.ndjson');
    await replayed(formatReplayToken(token), '--log', file);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(codec.decode(lines[0] ?? '', 1)).toMatchObject({ ok: true, value: { kind: 'LedgerOpened', offset: 1 } });
  });

  it('refuses a token of another kit version or another initial ledger, and text that is not a token', async () => {
    const old = await replayed(formatReplayToken({ ...token, kit: '0.0.1' }));
    expect(old).toMatchObject({ code: EXIT.badInput, out: '' });
    expect(old.err).toContain('of kit 0.0.1');
    const own = await replayed(formatReplayToken({ ...token, start: 'a hash' }));
    expect(own).toMatchObject({ code: EXIT.badInput, out: '' });
    expect(await replayed('coinlab2.x.y')).toMatchObject({ code: EXIT.badInput, out: '' });
  });
});
