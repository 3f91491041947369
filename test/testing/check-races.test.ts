import { behindAsyncPort, checkRaces, engineSystem, ledgerSystem, RACES, type LedgerSystem } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

/**
 * Returns a ledger that checks a command, waits and then executes it, so that another command can run in
 * between.
 */
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

/** Returns a ledger that records a tracking id only after the command has finished. */
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
    'passes for the system "%s" of the core behind an asynchronous port',
    async (_, system) => {
      const { runs } = await checkRaces({ system: (pause) => behindAsyncPort(system, pause), runs: 100, seed: 1 });
      expect(runs).toBe(100);
    },
  );

  it.each(RACES.map((race) => [race.name, race] as const))(
    'finds a ledger that checks a command before it waits, when %s',
    async (_, race) => {
      const failure = checkRaces({ system: checksThenActs, races: [race], seed: 1 });
      await expect(failure).rejects.toThrow(`race: ${race.name}`);
      await expect(failure).rejects.toThrow('of them win, but only 1 may');
    },
  );

  it('finds outcomes that no sequential order of the commands has', async () => {
    await expect(checkRaces({ system: answersTwice, seed: 1 })).rejects.toThrow(
      'no order of the commands, one after the other, has these outcomes',
    );
  });

  it('compares outcomes, but not the texts of refusals by other implementations', async () => {
    const system = ledgerSystem();
    const foreign = (pause: () => Promise<void>): LedgerSystem =>
      behindAsyncPort(
        {
          name: 'refuses in its own words',
          async open(start) {
            const session = await system.open(start);
            return {
              ...session,
              async submit(command, context, ours) {
                const answer = await session.submit(command, context, ours);
                return 'code' in answer ? { accepted: false, code: `sorry: ${answer.code}` } : answer;
              },
            };
          },
        },
        pause,
      );
    expect(await checkRaces({ system: foreign, runs: 50, seed: 1 })).toMatchObject({ runs: 50, skipped: [] });
  });

  it('skips and reports races with commands that the ledger does not support', async () => {
    const system = (pause: () => Promise<void>): LedgerSystem => behindAsyncPort(ledgerSystem(), pause);
    const commands = ['SelfTransfer', 'DirectTransfer', 'CreateOffer'] as const;
    const { skipped } = await checkRaces({ system, commands, runs: 5, seed: 1 });
    expect(skipped).toHaveLength(RACES.length - 1);
    expect(skipped[0]).toEqual({
      race: 'one offer is accepted, rejected, withdrawn and expired',
      reason: 'the ledger has no AcceptOffer, RejectOffer, WithdrawOffer, ExpireOffer',
    });
    expect(await checkRaces({ system, commands: ['Tap'], runs: 5, seed: 1 })).toMatchObject({ runs: 0 });
  });

  it('reports a race as skipped when the ledger does not support one of its commands', async () => {
    const system = ledgerSystem();
    const partial: LedgerSystem = {
      name: 'has no wallet offers',
      async open(start) {
        const session = await system.open(start);
        return {
          ...session,
          submit: (command, context, ours) =>
            command.type.includes('WalletOffer') ? { skipped: true } : session.submit(command, context, ours),
        };
      },
    };
    const { skipped } = await checkRaces({ system: () => partial, seed: 1 });
    expect(skipped.map(({ reason }) => reason)).toEqual(Array(3).fill('the ledger has no CreateWalletOffer'));
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
