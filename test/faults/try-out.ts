import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import type { Catch } from './hunt.ts';
import { scratchKit } from './scratch.ts';

export interface Outcome {
  readonly fault: Fault;
  /** The results, one for each seed. */
  readonly catches: readonly Catch[];
  readonly seconds: number;
}

/** The maximum number of commands after shrinking, except for faults that need a hundred inputs. */
const MOST_COMMANDS = 8;

/**
 * Matches errors that the planted text itself causes because it no longer fits the source. Such a crash does
 * not count as found.
 */
const MISTAKEN = /is not (defined|a function|a constructor)/;

/** Plants a fault, runs its check in another process and returns the results. Throws if the process fails. */
export async function tryOut(fault: Fault, seeds: readonly number[]): Promise<Outcome> {
  const began = performance.now();
  const catches = await hunt(fault, fault.check ?? 'ledger', seeds);
  return { catches, fault, seconds: (performance.now() - began) / 1000 };
}

/** Runs one check of the test kit once per seed, on a copy of the core with or without a fault. */
export async function hunt(fault: Fault | null, check: string, seeds: readonly number[]): Promise<readonly Catch[]> {
  const kit = scratchKit(fault);
  const program = join(import.meta.dirname, 'hunt.ts');
  const options = ['--conditions=source', '--import=tsx', program, kit, check, seeds.join()];
  const cwd = join(import.meta.dirname, '../..');
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'], cwd });
  const [out, said] = [child.stdout, child.stderr].map(read);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`${fault?.name ?? 'the core as it is'}: ${await said}`);
  return JSON.parse((await out) ?? '') as Catch[];
}

/** Returns whether the check found the fault with every seed and shrank the failure to few commands. */
export function isCaught({ fault, catches }: Pick<Outcome, 'fault' | 'catches'>): boolean {
  return catches.every(
    ({ found }) =>
      found !== null &&
      !MISTAKEN.test(found.what) &&
      (fault.needsManyInputs === true || found.commands <= MOST_COMMANDS),
  );
}

async function read(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
