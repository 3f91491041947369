import type { IssuanceConfig, IssuanceStep } from '../../contracts/amulet-rules.js';
import { invariant } from '../../kernel/assert.js';
import type { Duration } from '../../kernel/time.js';

/** Source: specification §2.5. */
export function issuanceAt(curve: readonly IssuanceStep[], age: Duration): IssuanceConfig {
  const step = curve.findLast(({ from }) => from <= age);
  invariant(step !== undefined, 'an issuance curve starts at age zero');
  return step.issuance;
}
