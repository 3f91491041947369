import { join } from 'node:path';
import { format } from 'node:util';
import { vi } from 'vitest';
import { root } from './source.ts';

/** Runs a file of the repository and returns what it prints. */
export async function printedBy(path: string): Promise<string> {
  let printed = '';
  const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => {
    printed += `${format(...words)}\n`;
  });
  try {
    await import(join(root, path));
  } finally {
    log.mockRestore();
  }
  return printed;
}
