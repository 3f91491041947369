import { codec, emptyLedger, updateOf, type Entry, type Update } from '@coinlab/core';
import { isPacked, type PackedTransfer } from '@coinlab/core/codec';
import {
  BrokenLog,
  EventLog,
  forkRun,
  loggedEntries,
  logLines,
  World,
  type Fork,
  type ForkOptions,
  type Group,
  type LoggedEntry,
  type Scenario,
} from '@coinlab/sim';
import { describe, expect, it } from 'vitest';
import { scenarioOf } from './lab-fixture.ts';

/** Offers wait for answers, payments for coin, and inputs are random: state that a log lacks. */
const NETWORK = `
name: network
duration: { rounds: 10 }
parties:
  - { name: payers, count: 15, wallet: { select: random, merge: { threshold: 6 } },
      payments: { arrivals: { poisson: { perDay: 90 } }, whenShort: wait } }
  - { name: keyed, temperament: external-party, count: 8, payments: { arrivals: { poisson: { perDay: 30 } } },
      receives: { offers: { accepts: 0.6, rejects: 0.2, withdraws: 0.1, after: { exponential: { mean: 40m } } } } }
`;
const OTHER = NETWORK.replace(
  'select: random, merge: { threshold: 6 }',
  'select: largest-first, merge: { never: true }',
);

interface Played {
  readonly updates: readonly Update[];
  readonly founding: number;
  readonly world: World;
}

function play(text: string, replicate = 0): Played {
  const updates: Update[] = [];
  const world = new World(scenarioOf(text), { replicate, onEntry: (entry) => updates.push(updateOf(entry)) });
  const founding = updates.length;
  while (!world.isOver) world.playRound();
  return { updates, founding, world };
}

function logOf({ updates }: Pick<Played, 'updates'>): readonly LoggedEntry[] {
  return updates.map((entry, i) => ({ entry, position: { form: 'update', number: i + 1, byte: 0 } }));
}

/** The same log as a compact one gives it: most transfers are packed, with numbers of another ledger for the parties. */
function packedLogOf({ updates }: Pick<Played, 'updates'>): readonly LoggedEntry[] {
  const pieces: Uint8Array[] = [];
  const log = new EventLog(scenarioOf(NETWORK).seed, (piece) => pieces.push(piece));
  for (const update of updates) log.append(update);
  log.close();
  return [...loggedEntries(pieces, 'log', emptyLedger().state)];
}

function fork(
  history: readonly LoggedEntry[],
  at: number,
  groups: readonly Group[],
  options: Partial<ForkOptions> = {},
  of: Scenario = scenarioOf(NETWORK),
): Fork & { readonly text: string } {
  const pieces: Uint8Array[] = [];
  const forked = forkRun(of, {
    file: 'log',
    history,
    at,
    groups,
    log: (piece) => pieces.push(piece),
    ...options,
  });
  return { ...forked, text: [...logLines(pieces)].map((line) => `${line}\n`).join('') };
}

const text = ({ updates }: Pick<Played, 'updates'>): string =>
  updates.map((update) => `${codec.encode(update)}\n`).join('');

describe('a fork of a run', () => {
  const ours = play(NETWORK);
  const other = play(OTHER);
  const { groups } = scenarioOf(OTHER);

  it('without a change of policy equals the run byte for byte, at any offset', () => {
    const same = scenarioOf(NETWORK).groups;
    for (const at of [1, ours.founding, ours.founding + 37, ours.updates.length - 5]) {
      for (const history of [logOf(ours), packedLogOf(ours)]) {
        const { text: forked, before, after, stateHash } = fork(history, at, same);
        expect(forked).toBe(text(ours));
        expect(stateHash).toBe(ours.world.hash());
        expect([...after.summary]).toEqual([...before.summary]);
      }
    }
  });

  it('is refused if any part of a packed transfer of the log differs', () => {
    const history = packedLogOf(ours);
    const places = history.flatMap(({ entry }, place) =>
      isPacked(entry) && entry.kind === 'TransferCompleted' && place > ours.founding ? [place] : [],
    );
    const [at] = places;
    const transfer = history[at ?? -1]?.entry as PackedTransfer;
    const changes: { [Field in keyof PackedTransfer]?: unknown } = {
      offset: transfer.offset + 1,
      recordTime: transfer.recordTime + 1n,
      kind: 'TransferSelfCompleted',
      seed: transfer.seed + 1,
      firstCoin: transfer.firstCoin + 1,
      from: transfer.to,
      to: transfer.from,
      inputs: [...transfer.inputs, 1],
      paid: transfer.paid + 1,
      change: transfer.change + 1,
      preapproval: transfer.preapproval + 1,
      round: transfer.round + 1,
      rate: transfer.rate + 1n,
    };
    expect(Object.keys(changes).sort()).toEqual(
      Object.keys(transfer)
        .filter((name) => name !== 'parties')
        .sort(),
    );
    const others = [
      ...Object.entries(changes),
      ['inputs', [(transfer.inputs[0] ?? 0) + 1, ...transfer.inputs.slice(1)]],
    ] as const;
    for (const [field, value] of others) {
      const altered = history.with(at ?? -1, {
        ...history[at ?? -1]!,
        entry: { ...transfer, [field as string]: value } as Entry,
      });
      expect(() => fork(altered, ours.founding + 400, groups), String(field)).toThrow(/differs from the scenario/);
    }
  });

  it('that changes the policy right after the founding equals a run with the new policy from the start', () => {
    const forked = fork(logOf(ours), ours.founding, groups);
    expect(forked.text).toBe(text(other));
    expect(forked.text).not.toBe(text(ours));
    expect(forked.stateHash).toBe(other.world.hash());
    expect(forked.after.summary.get('payers/merges')).toBe(0);
    expect(forked.before.summary.get('payers/merges')).toBeGreaterThan(0);
  });

  it('shares every update up to its offset, then stops merging under the policy never', () => {
    const at = ours.founding + 60;
    const { text: forked, round } = fork(logOf(ours), at, groups);
    const lines = forked.trimEnd().split('\n');
    expect(lines.slice(0, at)).toEqual(ours.updates.slice(0, at).map((update) => codec.encode(update)));
    expect(round).toBeGreaterThan(0);
    const merged = lines
      .slice(at)
      .filter((line) => line.includes('"kind":"HoldingsMerged"') && line.includes('payers-'));
    expect(merged).toEqual([]);
    expect(forked).not.toBe(text(ours));
  });

  it('is refused for the log of another run, and the error names the line', () => {
    const history = logOf(play(NETWORK, 1));
    expect(() => fork(history, ours.founding + 10, groups)).toThrow(BrokenLog);
    expect(() => fork(history, ours.founding + 10, groups, { replicate: 1 })).not.toThrow();
  });

  it('is refused beyond the end of the log', () => {
    expect(() => fork(logOf(ours).slice(0, 50), 60, groups)).toThrow(RangeError);
    expect(() => fork(logOf(ours), ours.updates.length + 1, groups)).toThrow(RangeError);
  });
});

/** Savers that receive a coin per round, and a provider that may merge for them. */
function savers(merge: string): string {
  return `
name: savers
duration: { rounds: 12 }
network: { rewards: false }
parties:
  - { name: provider, temperament: wallet-provider, count: 1 }
  - { name: savers, count: 4, payments: null, income: { every: 1, amount: { constant: '1' } }, wallet: { merge: ${merge} } }
`;
}

describe('a fork that changes merge delegations', () => {
  const delegated = '{ delegated: { operator: provider, above: 3, every: 20m } }';
  const between = (from: string, to: string): { readonly shared: string; readonly later: string } => {
    const history = play(savers(from));
    const at = history.founding + 20;
    const { text: forked } = fork(logOf(history), at, scenarioOf(savers(to)).groups, {}, scenarioOf(savers(from)));
    const lines = forked.trimEnd().split('\n');
    return { shared: lines.slice(0, at).join('\n'), later: lines.slice(at).join('\n') };
  };
  const merged = '"kind":"DelegatedHoldingsMerged"';

  it('starts delegated merging in the next round', () => {
    const { shared, later } = between('{ never: true }', delegated);
    expect(shared).not.toContain('MergeDelegation');
    expect(later.match(/"kind":"MergeDelegationAccepted"/g)).toHaveLength(4);
    expect(later).toContain(merged);
  });

  it('withdraws the delegations in the next round and ends delegated merging', () => {
    const { shared, later } = between(delegated, '{ never: true }');
    expect(shared).toContain(merged);
    expect(later.match(/"kind":"MergeDelegationWithdrawn"/g)).toHaveLength(4);
    expect(later.slice(later.indexOf('"kind":"MergeDelegationWithdrawn"'))).not.toContain(merged);
  });
});
