import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import type { Catch } from './hunt.ts';
import { scratchCore } from './scratch.ts';

/** What became of a fault. */
export interface Outcome extends Catch {
  readonly fault: Fault;
  readonly seconds: number;
}

/** Most commands that a shrunk failure may have, except where a hundred inputs are the point. */
export const MOST_COMMANDS = 8;

/** Plants a fault and lets the test kit look for it, in a process of its own. Throws when that process fails in another way. */
export async function tryOut(fault: Fault, seed: number): Promise<Outcome> {
  const began = performance.now();
  const caught = await hunt(fault, fault.check ?? 'ledger', seed);
  return { ...caught, fault, seconds: (performance.now() - began) / 1000 };
}

/** Runs one check of the kit on a copy of the core, with a fault in it or without any. */
export async function hunt(fault: Fault | null, check: string, seed: number): Promise<Catch> {
  const src = scratchCore(fault);
  const program = join(import.meta.dirname, 'hunt.ts');
  const options = ['--conditions=source', '--import=tsx', program, src, check, String(seed)];
  const cwd = join(import.meta.dirname, '../..');
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'pipe'], cwd });
  const [out, said] = [child.stdout, child.stderr].map(read);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`${fault?.name ?? 'the core as it is'}: ${await said}`);
  return JSON.parse((await out) ?? '') as Catch;
}

/** Whether the kit did what it must: found it, and told it in few commands. */
export function isCaught({ fault, found }: Pick<Outcome, 'fault' | 'found'>): boolean {
  return found !== null && (fault.needsManyInputs === true || found.commands <= MOST_COMMANDS);
}

async function read(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
