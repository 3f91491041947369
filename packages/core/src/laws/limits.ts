import type { UpdateKind } from '../log/update.js';
import type { Law, Step } from './law.js';
import { configsOf, createdOf, transferOf } from './touched.js';
import { inputsOf } from './single-use.js';

/** These updates use coins or coupons in several transfers, so the limits of one transfer do not apply. */
const NOT_ONE_TRANSFER: readonly UpdateKind[] = ['DustExpired', 'ExpiredRewardsClaimed', 'DelegatedHoldingsMerged'];

/** The limits are those of a round that was open at the time of the transfer. Source: specification §10, invariant 19. */
export const limitLaws: readonly Law[] = [
  {
    name: 'no transfer has more inputs than allowed',
    invariant: 19,
    holds: (step) => {
      const allowed = most(step, 'maxNumInputs');
      return (
        NOT_ONE_TRANSFER.includes(step.update.kind) ||
        (inputsOf(step).length <= allowed && (transferOf(step.update)?.inputs ?? 0) <= allowed)
      );
    },
  },
  {
    name: 'no transfer has more outputs than allowed',
    invariant: 19,
    // Change does not count as an output.
    holds: (step) =>
      NOT_ONE_TRANSFER.includes(step.update.kind) ||
      createdOf(step, 'Holding').length <= most(step, 'maxNumOutputs') + 1,
  },
  {
    name: 'no coin has more lock holders than allowed',
    invariant: 19,
    holds: (step) =>
      createdOf(step, 'Holding').every(
        ({ owner, lock }) =>
          lock === null ||
          (lock.holders.length <= most(step, 'maxNumLockHolders') &&
            new Set(lock.holders).size === lock.holders.length &&
            !lock.holders.includes(owner)),
      ),
  },
];

function most(step: Step, limit: 'maxNumInputs' | 'maxNumOutputs' | 'maxNumLockHolders'): number {
  return Math.max(0, ...configsOf(step.before).map((config) => config[limit]));
}
