import { serialize } from 'node:v8';
import {
  Amount,
  Engine,
  GENESIS_TIME,
  genesisConfig,
  Instant,
  openCompactLog,
  openEngine,
  readCompactLog,
} from '@coinlab/core';
import { packPayment, walletOf } from '@coinlab/core/simulation';
import { scanContracts } from '@coinlab/core/views';
import { alice, bob, dso } from './ledger-fixture.ts';
import { recordedSteps } from './recorded.ts';

/*
 * Prints the paths of the small whole numbers that V8 holds as doubles. Objects with one are slow, because ids that are computed from
 * it become doubles too. This is a program, because V8 decides by all objects of a process:
 * node --conditions=source --import=tsx test/core/boxed-numbers.ts
 */

/** The tag of a small integer in V8's serialization; a double has another, also when it holds a whole number. */
const SMALL_INTEGER = 'I'.codePointAt(0);
const LIMIT = 2 ** 31;

function boxedIn(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < LIMIT && serialize(value)[2] !== SMALL_INTEGER ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => boxedIn(inner, `${path}.${key}`));
}

function ofPayment(): object {
  const engine = openEngine({ config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } });
  for (const receiver of [alice, bob]) {
    const consent = {
      type: 'CreatePreapproval',
      receiver,
      provider: dso,
      expiresAt: Instant.latest,
      inputs: [],
    } as const;
    engine.submit(consent, { now: GENESIS_TIME, actAs: [receiver, dso] });
    engine.submit({ type: 'Tap', receiver, amount: Amount.one }, { now: GENESIS_TIME, actAs: [receiver] });
  }
  const [from, to] = [alice, bob].map((party) => walletOf(engine.state, party)) as [number, number];
  const packed = packPayment({ from, to, units: 5, now: GENESIS_TIME }, engine.state);
  if (!packed?.preapproval) throw new Error('the payment has no packed form');
  const { firstCoin, inputs, preapproval } = packed;
  return { firstCoin, inputs, preapproval };
}

const log = openCompactLog(0);
for (const { update } of recordedSteps('feeless')) log.append(update);
const bytes = log.whole();
const engine = new Engine();
if (engine.replay(bytes) !== null || engine.state.nextContract < 100) throw new Error('the log cannot be read');
const found = {
  payment: ofPayment(),
  updates: [...readCompactLog(bytes)].slice(0, 2_000),
  replayed: [engine.state.nextContract, ...scanContracts(engine.state)],
};
process.stdout.write(JSON.stringify(Object.entries(found).flatMap(([name, value]) => boxedIn(value, name))));
