import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkCoinLedger, CoinLedgerFailure, type CoinLedger, type CoinLedgerCheck } from '@coinlab/testing';
import { replacedOnce, type Replacement } from '../../faults/replaced.ts';
import type { Adapter, Specimen } from './specimen.ts';

const copies = join(import.meta.dirname, '../../.tmp/ledgers');
let copied = 0;

/** Returns the ledger of a specimen as its author wrote it. */
export function soundLedger({ folder }: Specimen): Promise<CoinLedger> {
  return adapted(join(import.meta.dirname, folder));
}

/**
 * Returns the ledger of a specimen with a change in a copy of its source. Throws unless the text to replace
 * occurs exactly once in the source.
 */
export async function plantedLedger({ folder }: Specimen, change: Replacement, name: string): Promise<CoinLedger> {
  const original = join(import.meta.dirname, folder);
  // Modules are cached by their path, so every copy has its own.
  const copy = join(copies, `${process.pid}-${folder}-${(copied += 1)}`);
  mkdirSync(copy, { recursive: true });
  try {
    const ledger = readFileSync(join(original, 'ledger.ts'), 'utf8');
    writeFileSync(join(copy, 'ledger.ts'), replacedOnce(ledger, change, `${folder}, ${name}`));
    writeFileSync(join(copy, 'adapter.ts'), readFileSync(join(original, 'adapter.ts')));
    return await adapted(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Returns the failure of a check; null if the check passed. */
export async function failureOf(check: CoinLedgerCheck): Promise<CoinLedgerFailure | null> {
  try {
    await checkCoinLedger(check);
    return null;
  } catch (error) {
    if (error instanceof CoinLedgerFailure) return error;
    throw error;
  }
}

export function settingsOf({ draws, rules }: Specimen): Omit<CoinLedgerCheck, 'ledger'> {
  return { draws, ...rules };
}

export function tokenOf({ again }: CoinLedgerFailure): string {
  return /token: '(.*)'/.exec(again)?.[1] ?? '';
}

async function adapted(folder: string): Promise<CoinLedger> {
  const path = pathToFileURL(join(folder, 'adapter.ts')).href;
  // Cast: the compiler checks the export of every adapter below this folder.
  const { coinLedger } = (await import(/* @vite-ignore */ path)) as Adapter;
  return coinLedger();
}
