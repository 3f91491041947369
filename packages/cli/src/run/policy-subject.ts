import { dirname, relative, resolve } from 'node:path';
import { BadInput } from '../exit-code.js';
import { completedSubject, scenarioOf, type Subject } from '../subject.js';
import { withWalletFlags } from '../wallet-flags.js';

/** Where a policy file is told from a name. */
const FILE = /[/\\]|\.[cm]?[jt]s(#|$)/;

/**
 * A scenario's file with everything that playing it takes, every policy that its wallets name among it.
 * @param policy a policy by which all wallets choose: a name; `file#name` of a user's own file; or a file alone, whose policies the
 * scenario's wallets name
 * Throws {@link BadInput}.
 */
export async function subjectWith(file: string, seed?: number, policy?: string): Promise<Subject> {
  const scenario = scenarioOf(file, seed);
  const folder = dirname(file);
  const isFile = policy !== undefined && FILE.test(policy);
  const [path = '', name] = isFile ? policy.split('#') : ['', policy];
  const subject = await completedSubject(
    isFile ? { ...scenario, policies: relative(folder, resolve(path)) } : scenario,
    folder,
  );
  const changed = withWalletFlags(subject.scenario, name === undefined ? {} : { policy: name }, subject.policies);
  if (isFile && name === undefined) refuseUnused(path, subject);
  return { ...subject, scenario: changed };
}

/** A file that is given and plays no part is a mistake. */
function refuseUnused(
  path: string,
  { scenario: { groups }, policies: { selection = {}, merging = {} } }: Subject,
): void {
  const isNamed = groups.some(
    ({ wallet }) => Object.hasOwn(selection, wallet.select) || Object.hasOwn(merging, wallet.merge.custom ?? ''),
  );
  if (isNamed) return;
  const [first] = Object.keys(selection);
  throw new BadInput(
    `--policy: no wallet of the scenario names a policy of ${path} (${[...Object.keys(selection), ...Object.keys(merging)].join(', ')})${first === undefined ? '' : `; say ${path}#${first} to have every wallet choose by it`}`,
  );
}
