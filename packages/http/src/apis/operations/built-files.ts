import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Problem } from '../../problem.js';

const require = createRequire(import.meta.url);

export type Bytes = Uint8Array<ArrayBuffer>;

export function readBuilt(name: string): Promise<Bytes> {
  const folder = dirname(require.resolve('@coinlab/web/package.json'));
  return readFile(join(folder, 'dist', name)).catch(() => {
    throw new Problem(404, 'the page is not built; in the repository: node scripts/build-web.mjs');
  });
}
