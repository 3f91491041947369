import { totalOf } from './totals.js';
import { type Ledger, Engine } from '@coinlab/core';
import type { LedgerSystem } from './port.js';

/** Returns the immutable `Ledger` of the core as a system. */
export function ledgerSystem(): LedgerSystem {
  return {
    name: 'ledger',
    open(start) {
      let ledger: Ledger = start;
      return {
        submit(command, context) {
          const result = ledger.submit(command, context);
          if (!result.ok) return { accepted: false, code: result.error.code };
          ledger = result.value.ledger;
          return { accepted: true, update: result.value.update };
        },
        totalOf: (party) => totalOf(ledger.state, party),
        stateHash: () => ledger.hash(),
        ledger: () => ledger,
      };
    },
  };
}

/** Returns the `Engine` of the core, which changes its state in place, as a system. */
export function engineSystem(): LedgerSystem {
  return {
    name: 'engine',
    open(start) {
      const engine = new Engine({}, start.state);
      return {
        submit(command, context) {
          const result = engine.submit(command, context);
          return result.ok
            ? { accepted: true, update: result.value.update }
            : { accepted: false, code: result.error.code };
        },
        totalOf: (party) => totalOf(engine.state, party),
        stateHash: () => engine.hash(),
      };
    },
  };
}

/**
 * Returns a system that delays its answers: every command waits once before and once after the ledger
 * executes it.
 * @param pause returns the promise to wait for; default: the next microtask
 */
export function behindAsyncPort(
  system: LedgerSystem,
  pause: () => Promise<void> = () => Promise.resolve(),
): LedgerSystem {
  return {
    name: `${system.name} behind an asynchronous port`,
    async open(start) {
      const session = await system.open(start);
      return {
        ...session,
        async submit(command, context, ours) {
          await pause();
          const answer = await session.submit(command, context, ours);
          await pause();
          return answer;
        },
      };
    },
  };
}
