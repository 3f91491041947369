import { build } from 'esbuild';

/**
 * Bundles a benchmark program like the product, so that no loader adds to the measured time.
 * @param {string} program name of a file of bench
 * @param {string} outfile absolute, or relative to the root
 * @param {string} root folder of the version, absolute
 */
export async function bundled(program, outfile, root = process.cwd()) {
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/${program}.ts`],
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
