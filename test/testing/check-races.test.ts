import { behindAsyncPort, checkRaces, engineSystem, ledgerSystem, RACES, type LedgerSystem } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

/** A ledger that looks first and acts later, on what it saw: between the two another command comes. */
function checksThenActs(pause: () => Promise<void>): LedgerSystem {
  return {
    name: 'checks, then acts',
    open(start) {
      let ledger = start;
      return {
        async submit(command, context) {
          const result = ledger.submit(command, context);
          await pause();
          if (!result.ok) return { accepted: false, code: result.error.code };
          ledger = result.value.ledger;
          return { accepted: true, update: result.value.update };
        },
      };
    },
  };
}

/** A ledger that remembers the tracking ids it has seen, but only once it is done. */
function answersTwice(pause: () => Promise<void>): LedgerSystem {
  const system = ledgerSystem();
  return {
    name: 'accepts everything the second time',
    async open(start) {
      const session = await system.open(start);
      let busy = false;
      return {
        ...session,
        async submit(command, context, ours) {
          if (busy) return { accepted: false, code: 'TOO_SOON' };
          busy = true;
          await pause();
          busy = false;
          return session.submit(command, context, ours);
        },
      };
    },
  };
}

describe('checkRaces', () => {
  it.each([ledgerSystem(), engineSystem()].map((system) => [system.name, system] as const))(
    'finds no race in our %s behind an asynchronous port',
    async (_, system) => {
      const { runs } = await checkRaces({ system: (pause) => behindAsyncPort(system, pause), runs: 100, seed: 1 });
      expect(runs).toBe(100);
    },
  );

  it.each(RACES.map((race) => [race.name, race] as const))('finds a check before an act when %s', async (_, race) => {
    const failure = checkRaces({ system: checksThenActs, races: [race], seed: 1 });
    await expect(failure).rejects.toThrow(`race: ${race.name}`);
    await expect(failure).rejects.toThrow('of them win, but only 1 may');
  });

  it('finds answers that no order explains', async () => {
    await expect(checkRaces({ system: answersTwice, seed: 1 })).rejects.toThrow(
      'in no order, one after the other, would they have been answered so',
    );
  });

  it('repeats a failure from its seed and path', async () => {
    const messageOf = async (more: object): Promise<string> =>
      checkRaces({ system: checksThenActs, seed: 1, ...more }).then(
        () => 'none',
        (error: Error) => error.message,
      );
    const first = await messageOf({});
    const path = /path: '([\d:]+)'/.exec(first)?.[1];
    expect(path).toBeDefined();
    expect((await messageOf({ path })).split('\n')[1]).toBe(first.split('\n')[1]);
  });
});
