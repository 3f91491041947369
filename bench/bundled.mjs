import { build } from 'esbuild';

/**
 * Bundles benchmark programs like the product, so that no loader adds to the measured time.
 * @param {readonly string[]} programs names of files of bench; the bundle has the exports of all
 * @param {string} outfile absolute, or relative to the root
 * @param {string} root folder of the version, absolute
 */
export async function bundled(programs, outfile, root = process.cwd()) {
  await build({
    absWorkingDir: root,
    stdin: {
      contents: programs.map((program) => `export * from './bench/${program}.ts';`).join('\n'),
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    logLevel: 'warning',
    // Some libraries are CommonJS and require Node's modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
  return outfile;
}
