import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { allOf, firstByKey } from '@coinlab/core/views';
import { balanceOf, codec, LAWS, replay, stateHash, type Command, type Context, type Submission } from '@coinlab/core';
import {
  Auditor,
  cast,
  checkConformance,
  describeSubmission,
  engineSystem,
  formatReplayToken,
  GENERATOR,
  KIT_VERSION,
  ledgerSystem,
  LedgerCheckFailure,
  parseReplayToken,
  replayObstacle,
  replayToken,
  resolve,
  sequences,
  startOf,
  type ConformanceCheck,
  type LedgerSession,
  type LedgerSystem,
  type ReplayToken,
} from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

type Submitted = { command: Command; context: Context };

function meddling(change: (submitted: Submitted) => Submitted): LedgerSystem {
  const system = ledgerSystem();
  return {
    name: 'meddling',
    async open(start) {
      const session = await system.open(start);
      return {
        ...session,
        submit(command, context, ours) {
          const changed = change({ command, context });
          return session.submit(changed.command, changed.context, ours);
        },
      };
    },
  };
}

async function failureOf(check: ConformanceCheck): Promise<LedgerCheckFailure> {
  const failure: unknown = await checkConformance(check).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LedgerCheckFailure);
  return failure as LedgerCheckFailure;
}

/** Faults that no law can detect: the ledger correctly executes another command than the submitted one. */
const faults: readonly (readonly [string, (submitted: Submitted) => Submitted])[] = [
  [
    'a tap of one unit less',
    ({ command, context }) => ({
      command:
        command.type === 'Tap' && command.amount > 1n
          ? { ...command, amount: (command.amount - 1n) as typeof command.amount }
          : command,
      context,
    }),
  ],
  [
    'an offer that any party may withdraw',
    ({ command, context }) => ({
      command,
      context: command.type === 'WithdrawOffer' ? { ...context, actAs: [...context.actAs, ...cast.people] } : context,
    }),
  ],
  [
    'a rejection instead of an acceptance',
    ({ command, context }) => ({
      command: command.type === 'AcceptOffer' ? { ...command, type: 'RejectOffer' } : command,
      context,
    }),
  ],
];

describe('checkConformance', () => {
  it.each([ledgerSystem(), engineSystem()].map((system) => [system.name, system] as const))(
    'passes for the system "%s" of the core',
    async (_, system) => {
      const report = await checkConformance({ system, runs: 30, seed: 1 });
      expect(report).toMatchObject({ system: system.name, runs: 30, seed: 1 });
      expect(report.commands).toBeGreaterThan(300);
      expect(report.predictedShare).toBeGreaterThan(0.4);
    },
  );

  it.each(faults)('finds and shrinks %s', async (_, change) => {
    const failure = await failureOf({ system: meddling(change), seed: 2 });
    expect(failure.finding.by).toBe('auditor');
    expect(failure.story.steps.length).toBeLessThanOrEqual(3);
  });

  it('reports the commands, the states before and after, the log and a token', async () => {
    const [, rejects] = faults.at(-1) as (typeof faults)[number];
    const written: string[] = [];
    const writeLog = (name: string, text: string): string => {
      written.push(text);
      return `here/${name}`;
    };
    const failure = await failureOf({ system: meddling(rejects), seed: 1, writeLog });
    expect(failure.message.split('\n').map((line) => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining(['✗', '1.', 'what', 'bob', '-', '+', 'again', 'log']),
    );
    expect(failure.logFile).toBe('here/auditor-1.ndjson');
    // The written log replays to the state in which the run failed.
    const updates = (written[0] ?? '')
      .trimEnd()
      .split('\n')
      .map((line, i) => codec.decode(line, i + 1));
    const state = replay(updates.flatMap((read) => (read.ok ? [read.value] : []))).state;
    expect(stateHash(state)).toBe(failure.story.after.hash());
  });

  it('repeats a failure from its token, and passes when the fault is removed from the ledger', async () => {
    const [, rejects] = faults.at(-1) as (typeof faults)[number];
    const failure = await failureOf({ system: meddling(rejects), seed: 2 });
    const token = parseReplayToken(failure.token);
    if (!token.ok) throw new Error('no token');
    const again = await replayToken(token.value, { system: meddling(rejects) });
    expect(again.finding).toEqual(failure.finding);
    expect(again.steps).toEqual(failure.story.steps);
    const sound = await replayToken(token.value, { system: engineSystem() });
    expect(sound.finding).toBeNull();
    expect(sound.steps.map(({ submission }) => submission)).toEqual(
      failure.story.steps.map(({ submission }) => submission),
    );
  });

  it('prints code that repeats the failure with the same start and the same laws', async () => {
    const [, rejects] = faults.at(-1) as (typeof faults)[number];
    const system = meddling(rejects);
    const start = startOf('feeless-24h');
    const laws = LAWS.slice(0, 3);
    const failure = await failureOf({ system, start, laws, seed: 2 });
    expect(failure.message).toContain(failure.again);
    const [, names = '', token] = /^await checkConformance\(\{ (.*), token: '(.*)' \}\)$/.exec(failure.again) ?? [];
    expect(names).toBe('system, start, laws');
    const again = await failureOf({ system, start, laws, token: token ?? '' });
    expect(again).toMatchObject({ finding: failure.finding, again: failure.again, runs: 1 });
    expect(again.story.steps).toEqual(failure.story.steps);
  });

  it("refuses a token when its start or laws differ from the run's", async () => {
    const [, rejects] = faults.at(-1) as (typeof faults)[number];
    const system = meddling(rejects);
    const [start, other] = [startOf('feeless-24h'), startOf('feeless')];
    const laws = LAWS.slice(0, 1);
    const { token } = await failureOf({ system, start, laws, seed: 2 });
    await expect(checkConformance({ system, laws, token })).rejects.toThrow('give it as `start`');
    await expect(checkConformance({ system, start: other, laws, token })).rejects.toThrow(
      'another ledger than `start`',
    );
    await expect(checkConformance({ system, start, token })).rejects.toThrow(`the laws "${laws[0]?.name}": give these`);
    await expect(checkConformance({ system, start, laws, token: token.slice(1) })).rejects.toThrow(
      'a whole replay token',
    );
  });

  it('passes with the token of a fault that was repaired', async () => {
    const [, rejects] = faults.at(-1) as (typeof faults)[number];
    const { token } = await failureOf({ system: meddling(rejects), seed: 2 });
    expect(await checkConformance({ system: ledgerSystem(), token })).toMatchObject({ runs: 1, system: 'ledger' });
  });

  it('submits commands of the given types only', async () => {
    const report = await checkConformance({
      system: engineSystem(),
      runs: 20,
      seed: 1,
      commands: ['Tap', 'SelfTransfer'],
    });
    const types = [...report.coverage.accepted.keys(), ...report.coverage.refused.keys()];
    expect(new Set(types)).toEqual(new Set(['Tap', 'SelfTransfer']));
  });

  it('fails when the run does not cover a required type of command', async () => {
    const check = { system: engineSystem(), runs: 1, maxCommands: 1, seed: 1 };
    await expect(checkConformance({ ...check, expectCovered: ['AcceptOffer'] })).rejects.toThrow(
      /never accepted {2}AcceptOffer/,
    );
    await expect(checkConformance({ ...check, expectCovered: 'all' })).rejects.toThrow(/never refused/);
  });

  it('finds a ledger that throws an error, reports wrong balances or loses updates', async () => {
    const system = ledgerSystem();
    const spoilt = (name: string, spoil: Partial<LedgerSession>): LedgerSystem => ({
      name,
      open: async (start) => ({ ...(await system.open(start)), ...spoil }),
    });
    const check = { runs: 20, seed: 1 };
    const throws = spoilt('throws', {
      submit: () => {
        throw new Error('out of cheese');
      },
    });
    expect(await failureOf({ ...check, system: throws })).toMatchObject({
      finding: { by: 'crash', what: 'throws: out of cheese' },
    });
    expect(await failureOf({ ...check, system: spoilt('poor', { totalOf: () => 1n }) })).toMatchObject({
      finding: { by: 'balance' },
    });
    expect(await failureOf({ ...check, system: spoilt('forgets', { stateHash: () => 'other' }) })).toMatchObject({
      finding: { by: 'replay' },
    });
  });
});

describe('a replay token', () => {
  const token: ReplayToken = {
    kit: KIT_VERSION,
    generator: GENERATOR,
    system: 'ledger',
    seed: -5,
    path: '12:0:3',
    starts: ['feeless', 'nothing'],
    start: null,
    laws: ['conservation'],
    maxCommands: 60,
    commands: ['Tap', 'CreateOffer'],
  };

  it('encodes all settings of the run in one word', () => {
    const text = formatReplayToken(token);
    expect(text).toMatch(/^coinlab2\.[\w-]+\.[0-9a-f]{8}$/);
    expect(parseReplayToken(` ${text}\n`)).toEqual({ ok: true, value: token });
    expect(parseReplayToken(formatReplayToken({ ...token, commands: null }))).toMatchObject({
      value: { commands: null },
    });
  });

  it('is refused when a character is missing or changed', () => {
    const text = formatReplayToken(token);
    for (const wrong of ['', 'coinlab2', text.slice(1), text.slice(0, -1), text.replace('.W', '.X'), `${text}.x`])
      expect(parseReplayToken(wrong).ok, wrong).toBe(false);
  });

  it('is refused when another version of the generator wrote it', () => {
    const told = replayObstacle({ ...token, laws: null, generator: GENERATOR - 1 }, {});
    expect(told).toContain(`generator ${GENERATOR - 1}, which draws other commands`);
    expect(replayObstacle({ ...token, laws: null }, {})).toBeNull();
  });

  it('repeats the commands that this version of the generator drew when recorded', () => {
    const drawn = fc.sample(sequences(12), { seed: 1, numRuns: 20 }).map((steps) => {
      const accepted: Submission[] = [];
      let ledger = startOf('feeless');
      return steps.map((step) => {
        const submission = resolve(step, ledger.state, accepted);
        const result = ledger.submit(submission.command, submission.context);
        if (result.ok) accepted.push(submission);
        if (result.ok) ({ ledger } = result.value);
        return describeSubmission(submission);
      });
    });
    // If this fails, the seed draws other commands than before: raise GENERATOR, then record the new hash.
    expect([GENERATOR, createHash('sha256').update(JSON.stringify(drawn)).digest('hex')]).toMatchInlineSnapshot(`
      [
        6,
        "4cfb06fc51b0befd864eed382b52015d1395d553a537a0b71a719642a3389d44",
      ]
    `);
  });

  it('contains the version in the package.json of the test kit', () => {
    const { version } = JSON.parse(readFileSync('packages/core/package.json', 'utf8')) as { version: string };
    expect(KIT_VERSION).toBe(version);
  });
});

describe('the auditor of checkConformance', () => {
  it('returns the total of each party', () => {
    const { state } = startOf('feeless');
    const auditor = new Auditor(state);
    for (const party of cast.everybody) expect(auditor.totalOf(party)).toBe(balanceOf(state, party).total);
    expect(auditor.totalOf(cast.stranger)).toBe(0n);
  });

  it('does not count archived non-coins (such as the transfer command itself) as inputs', () => {
    const ledger = startOf('feeless-24h');
    const { state } = ledger;
    const [order] = [...allOf(state, 'TransferCommand')];
    if (!order) throw new Error('a busy network has a transfer command');
    const preapproval = firstByKey(state, 'TransferPreapproval', `receiver:${order.receiver}`)?.id ?? null;
    const command: Command = { type: 'SendTransferCommand', command: order.id, inputs: [order.id], preapproval };
    const context = { now: state.time, actAs: [order.delegate] };
    expect(ledger.check(command, context)?.code).toBe('DUPLICATE_INPUT');
    expect(new Auditor(state).expect(command, context)?.refusals).toEqual(new Set(['DUPLICATE_INPUT']));
  });
});
