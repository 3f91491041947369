import { join } from 'node:path';
import {
  Amount,
  codec,
  Instant,
  replay,
  settingsOf,
  type Command,
  type Holding,
  type Ledger,
  type PartyId,
  type RejectionCode,
} from '@coinlab/core';
import { ledgerArb, TestLedger } from '@coinlab/testing';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { root } from '../house/source.ts';

interface Copy {
  readonly length: number;
  readonly lived: readonly object[];
  readonly templates: readonly string[];
  cut(offset: number): void;
  updateAt(offset: number): object | null;
  add(update: unknown): void;
  get(id: number): object | null;
}
interface Modules {
  readonly LogCopy: new (most?: number) => Copy;
  spendable(
    coin: object,
    log: Copy,
    at: number,
    now: Instant,
  ): {
    readonly can: boolean;
    readonly reason: string;
  };
}

/** Offset after which the ledger has its rules, its rounds and both parties. */
const FOUNDED = 4;

/** Refusals of a coin, rather than of the transfer that names it. */
const OF_THE_COIN: readonly RejectionCode[] = ['CONTRACT_NOT_FOUND', 'LOCK_NOT_EXPIRED'];

/** The modules of the page, as its browser runs them. */
async function loaded(): Promise<Modules> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './ledger/life/spendable.js'; export { LogCopy } from './store/log-copy.js';`,
      resolveDir: join(root, 'packages/web/src'),
    },
    bundle: true,
    format: 'esm',
    conditions: ['source'],
    write: false,
  });
  const text = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  return import(`data:text/javascript;base64,${text}`);
}

let page: Modules;
beforeAll(async () => void (page = await loaded()));

describe('the copy of the log in a tab', () => {
  const updateOf = (offset: number, ...archived: readonly number[]): object => ({
    offset,
    archived,
    created: [{ id: offset, template: offset < 3 ? 'Holding' : 'OpenMiningRound' }],
  });

  it('keeps no update beyond its limit, and accepts updates again after a revert', () => {
    const log = new page.LogCopy(3);
    for (let offset = 1; offset <= 5; offset++) log.add(updateOf(offset));
    expect([log.length, log.lived.length, log.updateAt(4)]).toEqual([3, 3, null]);
    log.cut(1);
    log.add(updateOf(2));
    expect([log.length, log.lived.length]).toEqual([2, 2]);
  });

  it('removes the contracts and templates of reverted updates, and marks contracts that they archived as active again', () => {
    const log = new page.LogCopy();
    for (const update of [updateOf(1), updateOf(2), updateOf(3, 1)]) log.add(update);
    expect([log.get(1), log.templates]).toMatchObject([{ gone: 3 }, ['Holding', 'OpenMiningRound']]);
    log.cut(2);
    expect([log.get(1), log.get(3), log.templates]).toMatchObject([{ gone: null }, null, ['Holding']]);
  });
});

describe('the sentence of the page about a coin', () => {
  const scenes = fc.record({
    shaped: ledgerArb({ holdings: [1, 3], dustAboutToExpire: [0, 2], offersAtDeadline: [0, 2] }),
    answer: fc.constantFrom('AcceptOffer', 'RejectOffer', null),
    rounds: fc.nat(3),
    isLater: fc.boolean(),
    back: fc.nat(6),
  });

  it('says `cannot be spent` exactly when the ledger refuses the coin, and `dust` exactly when the DSO may archive it', () => {
    const said = new Set<string>();
    fc.assert(
      fc.property(scenes, ({ shaped, answer, rounds, isLater, back }) => {
        const test = new TestLedger(shaped.ledger, []);
        const [instruction] = shaped.offers;
        if (instruction !== undefined && answer !== null) test.execute({ type: answer, instruction }, shaped.owner);
        if (rounds > 0) test.advanceToRound(test.round + rounds);
        const copy = new page.LogCopy();
        const updates = test.ledger.updates();
        for (const update of updates) copy.add(JSON.parse(codec.encode(update)));
        const ledger = replay(updates.slice(0, Math.max(FOUNDED, updates.length - back)));
        const { offset, time } = ledger.state;
        const now = isLater ? Instant.later(time, shaped.now) : time;
        for (const coin of coinsOf(updates)) {
          const { can, reason } = page.spendable(copy.get(coin.id) ?? {}, copy, offset, now);
          expect([coin.id, reason, can]).toEqual([coin.id, reason, isAccepted(ledger, coin, now)]);
          expect([
            coin.id,
            reason,
            / the DSO may archive it/.test(reason) && !reason.includes('once its lock'),
          ]).toEqual([coin.id, reason, mayArchive(ledger, coin, now)]);
          said.add(`${can} ${/dust|used up|takes a|locked|no longer|not exist/.exec(reason)?.[0] ?? ''}`);
        }
      }),
      { numRuns: runs(60) },
    );
    // Every kind of sentence was compared.
    expect([...said].sort()).toEqual(
      expect.arrayContaining([
        'false locked',
        'false no longer',
        'false not exist',
        'true ',
        'true dust',
        'true used up',
      ]),
    );
  });
});

function coinsOf(updates: ReturnType<Ledger['updates']>): readonly Holding[] {
  return updates.flatMap(({ created }) => created.filter((one) => one.template === 'Holding'));
}

/** Whether the ledger takes the coin as the only input of a transfer to its owner; too little coin is no refusal of the coin. */
function isAccepted(ledger: Ledger, { id, owner }: Holding, now: Instant): boolean {
  const refused = refusalOf(
    ledger,
    { type: 'SelfTransfer', sender: owner, amount: Amount.unit, inputs: [id] },
    owner,
    now,
  );
  return refused === null || !OF_THE_COIN.includes(refused);
}

function mayArchive(ledger: Ledger, { id }: Holding, now: Instant): boolean {
  const refused = refusalOf(ledger, { type: 'ExpireDust', holdings: [id] }, settingsOf(ledger.state).dso, now);
  return refused === null;
}

function refusalOf(ledger: Ledger, command: Command, actor: PartyId, now: Instant): RejectionCode | null {
  const answer = ledger.submit(command, { now, actAs: [actor] });
  return answer.ok ? null : answer.error.code;
}
