import { codec, Engine, type LedgerState, type Update } from '@coinlab/core';
import { BadInput } from '../exit-code.js';
import { eachUpdate } from '../log/source.js';

export interface LogPrefix {
  readonly state: LedgerState;
  readonly lines: readonly string[];
  readonly end: number;
  updates(from: number, to: number): readonly Update[];
}

export async function readPrefix(source: string, at: number | null): Promise<LogPrefix> {
  const engine = new Engine();
  const lines: string[] = [];
  let end = 0;
  await eachUpdate(source, (update) => {
    end = update.offset;
    if (at !== null && update.offset > at) return true;
    engine.apply(update);
    lines.push(codec.encode(update));
    return true;
  });
  if (at !== null && at > end) throw new BadInput(`--at ${at}: ${source} ends at offset ${end}`);
  return { state: engine.snapshot(), lines, end, updates: (from, to) => lines.slice(from - 1, to).map(decoded) };
}

function decoded(line: string, index: number): Update {
  const update = codec.decode(line, index + 1);
  if (!update.ok) throw new Error(update.error.reason);
  return update.value;
}
