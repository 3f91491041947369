import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { checkCoinLedger, COIN_LAWS } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { ODDITIES } from './ledgers/oddities.ts';
import { failureOf, plantedLedger, settingsOf, soundLedger, tokenOf } from './ledgers/planted.ts';
import { bugName, LAWS_OF, type Bug, type Specimen } from './ledgers/specimen.ts';
import { SPECIMENS } from './ledgers/specimens.ts';

/** The full search, `npm run faults`, uses 1,000 runs and three seeds. */
const FEW = { runs: 100, seed: 1 };
/** Runs of correct ledgers. Each command to the bank is a request through a socket. */
const soundRuns = ({ folder }: Specimen): typeof FEW => ({ ...FEW, runs: folder === 'http-bank' ? 20 : 50 });
const MOST_COMMANDS = 6;

const named = <Item extends { readonly folder: string }>(
  items: readonly Item[],
): readonly (readonly [string, Item])[] => items.map((item) => [item.folder, item]);

describe('the sample ledgers of the bug search', () => {
  it('have at least eight coding styles, each with at least eight planted bugs', () => {
    expect(SPECIMENS.length).toBeGreaterThanOrEqual(8);
    for (const { bugs } of SPECIMENS) {
      expect(new Set(bugs.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
      expect(new Set(bugs.map(bugName)).size).toBe(bugs.length);
    }
  });

  it.each(named(SPECIMENS))('%s has an adapter of at most 60 lines and shares no code with the core', (folder) => {
    const [adapter = '', ledger = ''] = ['adapter', 'ledger'].map((name) =>
      readFileSync(`test/testing/ledgers/${folder}/${name}.ts`, 'utf8'),
    );
    expect(adapter.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    expect(ledger).not.toContain('@coinlab');
    expect(adapter).not.toContain('@coinlab/core');
  });

  it.each(named(SPECIMENS))('%s passes without a planted bug', async (_, specimen) => {
    const check = { ledger: await soundLedger(specimen), ...settingsOf(specimen), ...soundRuns(specimen) };
    const report = await checkCoinLedger(check);
    expect(report.accepted).toBeGreaterThan(report.commands / 4);
    expect(report.accepted).toBeLessThan(report.commands * 0.9);
  });

  const bugs = SPECIMENS.flatMap((specimen) =>
    specimen.bugs.map((bug: Bug) => [`${specimen.folder}, ${bugName(bug)}`, specimen, bug] as const),
  );
  it.each(bugs)('%s: is found, shrinks to few commands, and is replayed from its token', async (_, specimen, bug) => {
    const check = { ledger: await plantedLedger(specimen, bug, bugName(bug)), ...settingsOf(specimen) };
    const failure = await failureOf({ ...check, ...FEW });
    if (!failure) throw new Error('not found');
    const { broken, steps } = failure;
    expect(LAWS_OF[bug.kind]).toContain(broken);
    expect(steps.length).toBeLessThanOrEqual(MOST_COMMANDS);
    const repeated = await failureOf({ ...check, token: tokenOf(failure) });
    expect(repeated).toMatchObject({ broken, steps, runs: 1 });
  });

  it('have a planted bug for every law of plain coins, except the law that a refused command changes nothing', () => {
    const broken = new Set(Object.values(LAWS_OF).flat());
    const others = COIN_LAWS.map(({ name }) => name).filter((name) => !broken.has(name));
    expect(others).toEqual(['a refused command changes no balance and no coin']);
  });

  it('fail again when another process replays the token of a failure', async () => {
    const [specimen] = SPECIMENS;
    const [bug] = specimen?.bugs ?? [];
    if (!specimen || !bug) throw new Error('no bug');
    const ledger = await plantedLedger(specimen, bug, bugName(bug));
    const failure = await failureOf({ ledger, ...settingsOf(specimen), ...FEW });
    if (!failure) throw new Error('not found');
    const program = ['--conditions=source', '--import=tsx', 'test/testing/ledgers/replay.ts'];
    const failures = [{ bug: bugName(bug), token: tokenOf(failure) }];
    const input = JSON.stringify({ folder: specimen.folder, failures });
    const out = execFileSync(process.execPath, program, { encoding: 'utf8', input });
    expect(JSON.parse(out)).toEqual([failure.message.replace(/after \d+ runs/, 'after 1 runs')]);
  });
});

describe('correct ledgers with unusual behaviour', () => {
  it.each(ODDITIES.map((oddity) => [oddity.what, oddity] as const))(
    'pass when the check declares the behaviour: %s',
    async (what, oddity) => {
      const { specimen, check, adapt } = oddity;
      const plain = await plantedLedger(specimen, oddity, what);
      const ledger = adapt?.(plain) ?? plain;
      const report = await checkCoinLedger({ ledger, ...settingsOf(specimen), ...check, ...soundRuns(specimen) });
      expect(report.accepted).toBeGreaterThan(report.commands / 4);
    },
  );

  it.each(['a fee for each payment', 'an acceptance at the deadline where the check allows it'])(
    'fail when the check does not declare the behaviour: %s',
    async (what) => {
      const oddity = ODDITIES.find((one) => one.what === what);
      if (!oddity) throw new Error('no such behaviour');
      const ledger = await plantedLedger(oddity.specimen, oddity, what);
      expect(await failureOf({ ledger, ...settingsOf(oddity.specimen), ...FEW })).not.toBeNull();
    },
  );
});
