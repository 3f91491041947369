import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SELECTIONS } from '../policies/named.js';
import { checkedPolicies, type OwnPolicies, type PolicyFile } from '../policies/own.js';

/** Thrown when a policy file cannot be loaded. The message names the file, the fault and the expected value. */
export class PolicyFileFault extends Error {
  override readonly name = 'PolicyFileFault';
}

/**
 * Loads a policy file: JavaScript, or TypeScript on Node 22.18 and later or with `tsx` installed next to the file. Throws a
 * {@link PolicyFileFault}.
 */
export async function loadPolicies(file: string): Promise<Required<OwnPolicies>> {
  const path = resolve(file);
  if (!existsSync(path)) throw new PolicyFileFault(`${file}: the file does not exist`);
  return checkedPolicies(policyFileOf(await imported(path, file), file));
}

function isUnknownExtension(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION';
}

const TYPESCRIPT = ['.ts', '.mts', '.cts'];

async function imported(path: string, file: string): Promise<unknown> {
  const url = pathToFileURL(path).href;
  try {
    return await import(/* @vite-ignore */ url);
  } catch (error) {
    if (!TYPESCRIPT.includes(extname(path)) || !isUnknownExtension(error))
      throw new PolicyFileFault(`${file}: ${String(error)}`, { cause: error });
  }
  const load = await typescriptLoader(path, file);
  try {
    return await load(url, import.meta.url);
  } catch (error) {
    throw new PolicyFileFault(`${file}: ${String(error)}`, { cause: error });
  }
}

interface TsxApi {
  readonly tsImport: (url: string, from: string) => Promise<unknown>;
}

async function typescriptLoader(path: string, file: string): Promise<TsxApi['tsImport']> {
  try {
    // tsx ships two builds; require() resolves the one that cannot be imported.
    const api = createRequire(path)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs');
    // tsx documents this function.
    return ((await import(/* @vite-ignore */ pathToFileURL(api).href)) as TsxApi).tsImport;
  } catch {
    throw new PolicyFileFault(
      `${file}: Node ${process.version} does not read TypeScript; use Node 22.18 or later, run "npm install tsx" in its folder, or write it as .js`,
    );
  }
}

function policyFileOf(module: unknown, file: string): PolicyFile {
  const exported = fieldsOf(module);
  // A CommonJS module compiled from TypeScript nests its default export in a default.
  const inner = fieldsOf(exported['default']);
  const { selection = {}, merging = {} } = { ...fieldsOf(inner['default']), ...inner, ...exported };
  const fault = (field: string, found: unknown, expected: string): never => {
    throw new PolicyFileFault(`${file}: ${field}: got ${typeof found}, expected ${expected}`);
  };
  for (const [map, policies] of Object.entries({ selection, merging }))
    if (typeof policies !== 'object' || policies === null) fault(map, policies, 'an object of policies by name');
  for (const [name, policy] of Object.entries(fieldsOf(selection))) {
    if (typeof policy !== 'function') fault(`selection.${name}`, policy, 'a function of a wallet and a demand');
    if (Object.hasOwn(SELECTIONS, name))
      throw new PolicyFileFault(`${file}: selection.${name}: got the name of a built-in policy, expected another name`);
  }
  for (const [name, habit] of Object.entries(fieldsOf(merging))) {
    const { every, coins } = fieldsOf(habit);
    const isTimed = typeof coins === 'function' && /^\d{1,9}[smhd]$/.test(String(every));
    if (typeof habit !== 'function' && !isTimed)
      fault(`merging.${name}`, habit, 'a function of a wallet, or { every: "1h", coins: function }');
  }
  if (Object.keys(fieldsOf(selection)).length + Object.keys(fieldsOf(merging)).length === 0)
    throw new PolicyFileFault(`${file}: got no policies, expected an export "selection" or "merging"`);
  return { selection, merging } as PolicyFile; // Checked field by field above.
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
