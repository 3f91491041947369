// Writes docs/reference, and reports what the source lacks for it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './core-source.ts';
import { gaps, referencePages } from './reference-pages.ts';

for (const [path, text] of referencePages) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
for (const gap of gaps) process.stderr.write(`reference: ${gap}\n`);
