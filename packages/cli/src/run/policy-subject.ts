import { dirname, relative, resolve } from 'node:path';
import { BadInput } from '../exit-code.js';
import { completedSubject, scenarioOf, type Subject } from '../subject.js';
import { withWalletFlags, type WalletFlags } from '../wallet-flags.js';

export const POLICY_FILE: RegExp = /[/\\]|\.[cm]?[jt]s(#|$)/;

export function policyFlag(policy: string | undefined): { readonly path?: string; readonly name?: string } {
  if (policy === undefined) return {};
  if (!POLICY_FILE.test(policy)) return { name: policy };
  const [path = '', name] = policy.split('#');
  return { path, ...(name !== undefined && { name }) };
}

/**
 * @param flags `policy` changes the wallets of the groups: a policy name, or `file#name` for a policy of the user's file. A file
 * without a name only defines policies for the scenario's wallets.
 */
export async function subjectWith(
  file: string,
  seed: number | undefined,
  { policy, merge, group }: WalletFlags,
): Promise<Subject> {
  const scenario = scenarioOf(file, seed);
  const folder = dirname(file);
  const { path, name } = policyFlag(policy);
  const isFile = path !== undefined;
  const subject = await completedSubject(
    isFile ? { ...scenario, policies: relative(folder, resolve(path)) } : scenario,
    folder,
  );
  const changed = withWalletFlags(
    subject.scenario,
    {
      ...(name !== undefined && { policy: name }),
      ...(merge !== undefined && { merge }),
      ...(group && { group }),
    },
    subject.policies,
  );
  if (isFile && name === undefined) refuseUnused(path, subject);
  return { ...subject, scenario: changed };
}

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
    `--policy: no wallet of the scenario names a policy of ${path} (${[...Object.keys(selection), ...Object.keys(merging)].join(', ')})${first === undefined ? '' : `; use ${path}#${first} for every wallet`}`,
  );
}
