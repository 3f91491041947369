import { openEngine } from '@coinlab/core';
import { counted, type Figure } from './figure.js';
import { liveHeapBytes, nanosPerCall } from './measure.js';
import { accept, World } from './world.js';

/** Number of coins of a world before the measured one: code that is compiled meanwhile would count as memory of coins. */
const WARMING = 100_000;

export function memoryFigures(size: number): readonly Figure[] {
  figuresOf(WARMING);
  return figuresOf(size);
}

function figuresOf(size: number): readonly Figure[] {
  const world = new World(size);
  const before = liveHeapBytes();
  const engine = openEngine(world.options);
  let parties = 0;
  for (const { command, context } of world.opening()) {
    // The set-up first creates parties and preapprovals, then coins.
    if (parties === 0 && command.type === 'Tap') parties = liveHeapBytes() - before;
    accept(engine.submit(command, context));
  }
  const coins = (liveHeapBytes() - before - parties) / size;
  let forks = 0;
  const nanos = nanosPerCall(10_000, 5, () => {
    forks += engine.snapshot().offset;
  });
  if (forks === 0) throw new Error('no fork was made');
  return [
    {
      goal: 'S6',
      what: `Engine, memory per live coin at ${counted(size)} (and ${counted(parties / world.parties.length)} B per party with its preapproval, its name and room for four coins)`,
      ours: `${counted(coins)} B`,
      reference: 'bound 16 B',
      ratio: coins / 16,
      target: '80 B at 1M',
    },
    {
      goal: 'S7',
      what: `fork at ${counted(size)} coins`,
      ours: `${(nanos / 1000).toFixed(2)} µs`,
      reference: '10 µs',
      ratio: nanos / 10_000,
      target: 'below 10 µs at 1M',
    },
  ];
}
