import {
  parseData,
  PolicyRegistry,
  withOtherWallets,
  type OwnPolicies,
  type Scenario,
  type WalletChange,
} from '@coinlab/sim';
import { BadInput } from './exit-code.js';

export interface WalletFlags {
  readonly policy?: string;
  readonly merge?: string;
  readonly group?: readonly string[];
}

export function withWalletFlags(scenario: Scenario, flags: WalletFlags, policies: OwnPolicies): Scenario {
  const other = withOtherWallets(scenario, walletChange(flags), flags.group ?? null);
  if (!other.ok) throw new BadInput(other.error.map(({ path, reason }) => `--${path.join('.')}: ${reason}`).join('\n'));
  const registry = new PolicyRegistry(policies);
  try {
    registry.requireAll(other.value);
  } catch (error) {
    throw error instanceof RangeError ? new BadInput(error.message) : error;
  }
  return other.value;
}

export function walletChange({ policy: select, merge }: WalletFlags): WalletChange {
  return { ...(select !== undefined && { select }), ...(merge !== undefined && { merge: mergingOf(merge) }) };
}

function mergingOf(text: string): unknown {
  if (text === 'never') return { never: true };
  if (/^\d{1,9}$/.test(text)) return { threshold: Number(text) };
  const data = parseData(text, '--merge');
  if (!data.ok || typeof data.value.value !== 'object')
    throw new BadInput(
      `--merge: got '${text}', expected never, a count such as 10, or a policy such as '{ keepLargest: { keep: 3, above: 10 } }'`,
    );
  return data.value.value;
}
