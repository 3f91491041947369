import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../house/source.ts';

const KILOBYTE = 1_000;
const gzipped = (bytes: Uint8Array | string): number => gzipSync(bytes, { level: 9 }).length;
const built = (name: string): Buffer => readFileSync(join(root, 'packages/web/dist', name));

describe('the size of the page', () => {
  it('is at most 60 KB without the core, compressed, with its style sheet', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(root, 'packages/web/src/main.tsx')],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      external: ['@coinlab/core'],
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      metafile: true,
      write: false,
    });
    expect(Object.keys(metafile.inputs).filter((path) => path.includes('packages/core'))).toEqual([]);
    const script = gzipped(outputFiles[0]?.contents ?? '');
    // Without the views the test would measure nothing.
    expect(script).toBeGreaterThan(15 * KILOBYTE);
    expect(script + gzipped(built('page.css'))).toBeLessThan(60 * KILOBYTE);
  });

  it('is at most 170 KB with the core', () => {
    const all = ['index.html', 'page.js', 'page.css'].map((name) => gzipped(built(name)));
    expect(all.reduce((a, b) => a + b, 0)).toBeLessThan(170 * KILOBYTE);
  });
});
