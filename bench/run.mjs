// Bundles a benchmark program and runs it.
import { spawnSync } from 'node:child_process';
import { bundled } from './bundled.mjs';

const [program, ...args] = process.argv.slice(2);
const outfile = await bundled([program], `bench/out/${program}.mjs`);
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
