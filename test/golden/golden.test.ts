import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  codec,
  emptyLedger,
  Engine,
  openCompactLog,
  PROFILE_NAMES,
  PROFILES,
  readCompactLog,
  settingsOf,
  type Update,
} from '@coinlab/core';
import { COMPACT_VERSION, LOG_VERSION, type Sha256 } from '@coinlab/core/codec';
import { describe, expect, it } from 'vitest';

/** Facts about a log at the time of its recording: scripts/golden.ts. */
interface Facts {
  readonly logVersion: number;
  readonly updates: number;
  readonly sha256: string;
  readonly kinds: readonly string[];
  readonly states: readonly { readonly offset: number; readonly hash: string }[];
}

const nodeSha256: Sha256 = (...pieces) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();

const here = new URL('./', import.meta.url);
const recordings = PROFILE_NAMES.flatMap((profile) =>
  readdirSync(new URL(`${profile}/`, here))
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ profile, version: name.replace('.json', '') })),
);

describe.each(recordings)('the golden log $version of $profile', ({ profile, version }) => {
  const facts: Facts = JSON.parse(readFileSync(new URL(`${profile}/${version}.json`, here), 'utf8'));
  const text = gunzipSync(readFileSync(new URL(`${profile}/${version}.ndjson.gz`, here))).toString('utf8');

  it('has the recorded hash and kinds of updates', () => {
    expect(createHash('sha256').update(text).digest('hex')).toBe(facts.sha256);
    const updates = updatesIn(text);
    expect(updates).toHaveLength(facts.updates);
    expect([...new Set(updates.map(({ kind }) => kind))].sort()).toEqual(facts.kinds);
  });

  it('replays to the recorded states in an immutable ledger', () => {
    let ledger = emptyLedger();
    const states = statesOf(text, facts, (update) => {
      ledger = ledger.apply(update);
      return () => ledger.hash();
    });
    expect(states).toEqual(facts.states);
    expect(settingsOf(ledger.state).profile).toEqual(PROFILES[profile]);
  });

  it('replays to the recorded states in an engine', () => {
    const engine = new Engine();
    const states = statesOf(text, facts, (update) => {
      engine.apply(update);
      return () => engine.hash();
    });
    expect(states).toEqual(facts.states);
  });

  it('encodes to the same text, unless the format has a new version', () => {
    const written = updatesIn(text).map((update) => `${codec.encode(update)}\n`);
    if (facts.logVersion === LOG_VERSION) expect(written.join('')).toBe(text);
    else expect(updatesIn(written.join(''))).toEqual(updatesIn(text));
  });
});

describe.each(PROFILE_NAMES)('the golden log of %s in compact form', (profile) => {
  // A change of these bytes makes earlier compact logs unreadable: see the README before you change a hash.
  it(`has the bytes of version ${COMPACT_VERSION}, and reads back to the same text`, () => {
    const text = gunzipSync(readFileSync(new URL(`${profile}/v1.ndjson.gz`, here))).toString('utf8');
    const log = openCompactLog(0, nodeSha256);
    for (const update of updatesIn(text)) log.append(update);
    const bytes = log.whole();
    const hashes: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
      readFileSync(new URL('compact.json', here), 'utf8'),
    );
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hashes[`v${COMPACT_VERSION}`]?.[profile]);
    const lines = Array.from(readCompactLog(bytes, nodeSha256), (update) => (update.ok ? codec.encode(update.value) : ''));
    expect(`${lines.join('\n')}\n`).toBe(text);
  });
});

describe('the golden logs', () => {
  it('exist for each rule profile and every log version', () => {
    const versions = Array.from({ length: LOG_VERSION }, (_, i) => i + 1);
    for (const profile of PROFILE_NAMES) {
      const files = recordings.filter((recording) => recording.profile === profile);
      const recorded = files.map(({ version }) => {
        const { logVersion }: Facts = JSON.parse(readFileSync(new URL(`${profile}/${version}.json`, here), 'utf8'));
        return logVersion;
      });
      expect(recorded).toEqual(expect.arrayContaining(versions));
    }
  });

  it('are not overwritten by the script that records them', () => {
    const before = readFileSync(new URL('feeless/v1.json', here), 'utf8');
    const recorder = fileURLToPath(new URL('../../scripts/golden.ts', here));
    const { status } = spawnSync(process.execPath, ['--conditions=source', '--import=tsx', recorder, 'v1']);
    expect(status).toBe(1);
    expect(readFileSync(new URL('feeless/v1.json', here), 'utf8')).toBe(before);
  });

  it('fail to replay when an update has an unknown kind or another amount', () => {
    const lines = gunzipSync(readFileSync(new URL('feeless/v1.ndjson.gz', here))).toString('utf8').split('\n');
    const at = lines.findIndex((line) => line.includes('"kind":"Minted"'));
    const spoilt = (change: (line: string) => string): string => lines.map((line, i) => (i === at ? change(line) : line)).join('\n');
    expect(() => updatesIn(spoilt((line) => line.replace('"kind":"Minted"', '"kind":"Coined"')))).toThrow(`line ${at + 1}`);
    const richer = spoilt((line) => line.replace(/"amount":"(\d)/, '"amount":"1$1'));
    expect(() => updatesIn(richer).reduce((ledger, update) => ledger.apply(update), emptyLedger())).toThrow('broken invariant');
  });
});

function updatesIn(text: string): readonly Update[] {
  return text.split('\n').flatMap((line, i) => {
    if (line === '') return [];
    const decoded = codec.decode(line, i + 1);
    if (!decoded.ok) throw new Error(`line ${decoded.error.line}: ${decoded.error.reason}`);
    return decoded.value;
  });
}

function statesOf(text: string, { states }: Facts, apply: (update: Update) => () => string): Facts['states'] {
  const offsets = new Set(states.map(({ offset }) => offset));
  return updatesIn(text).flatMap((update) => {
    const hash = apply(update);
    return offsets.has(update.offset) ? { offset: update.offset, hash: hash() } : [];
  });
}
