import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import type { Catch } from './hunt.ts';
import { scratchKit } from './scratch.ts';

/** What became of a fault. */
export interface Outcome {
  readonly fault: Fault;
  /** One from each seed. */
  readonly catches: readonly Catch[];
  readonly seconds: number;
}

/** Most commands that a shrunk failure may have, except where a hundred inputs are the point. */
const MOST_COMMANDS = 8;

/** Plants a fault and lets the test kit look for it, in a process of its own. Throws when that process fails in another way. */
export async function tryOut(fault: Fault, seeds: readonly number[]): Promise<Outcome> {
  const began = performance.now();
  const catches = await hunt(fault, fault.check ?? 'ledger', seeds);
  return { catches, fault, seconds: (performance.now() - began) / 1000 };
}

/** Runs one check of the kit on a copy of the core, with a fault in it or without any, once from each seed. */
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

/** Whether the kit did what it must, from every seed: found it, and told it in few commands. */
export function isCaught({ fault, catches }: Pick<Outcome, 'fault' | 'catches'>): boolean {
  return catches.every(
    ({ found }) => found !== null && (fault.needsManyInputs === true || found.commands <= MOST_COMMANDS),
  );
}

async function read(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
