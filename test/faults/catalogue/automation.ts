import { faultIn, type Fault } from '../fault.ts';

const SWEEP = 'sweep.ts';

/** Automation that acts too early, too late or too often. */
export const automationFaults: readonly Fault[] = [
  faultIn('merge-delegation.ts', {
    name: 'merge-at-limit',
    what: 'Coins are merged at ten coins instead of above ten.',
    package: 'automation',
    check: 'automation',
    find: 'countOf(state, owner) <= config.mergeAbove',
    replace: 'countOf(state, owner) < config.mergeAbove',
  }),
  faultIn(SWEEP, {
    name: 'sweep-below-minimum',
    what: 'A sweep moves the whole balance and leaves less than the minimum.',
    package: 'automation',
    check: 'automation',
    find: 'lessFees(Amount.sub(atHand, minBalanceUSD), open.transferConfigUsd)',
    replace: 'lessFees(atHand, open.transferConfigUsd)',
  }),
  faultIn(SWEEP, {
    name: 'sweep-at-maximum',
    what: 'A wallet with exactly the maximum balance is swept.',
    package: 'automation',
    check: 'automation',
    find: 'if (atHand <= maxBalanceUSD) return null;',
    replace: 'if (atHand < maxBalanceUSD) return null;',
  }),
  faultIn(SWEEP, {
    name: 'sweep-forgets-offers',
    what: 'A sweep ignores its pending offers and offers the same amount again.',
    package: 'automation',
    check: 'automation',
    find: 'const atHand = Amount.sub(balanceUsd, outstandingUsd);',
    replace: 'const atHand = Amount.max2(balanceUsd, outstandingUsd);',
  }),
];
