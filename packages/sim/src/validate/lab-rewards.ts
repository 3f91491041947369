import { Amount } from '@coinlab/core';
import { runScenario } from '../run/run.js';
import { exactly, type Check } from './check.js';
import { figureOf, scenarioOf, subject, updatesOf } from './lab-scenario.js';

/**
 * Rewards in coin against the issuance rule, with figures computed by hand: a network in its first half-year issues 40 · 10⁹
 * coin a year in 52,560 rounds. 5 % go to the development fund; of the rest validators have 5 %, apps 15 %, super validators 80 %.
 */
export function* rewardChecks(): Generator<Check> {
  yield* liveness();
  yield* superValidators();
  yield* featuredApps();
}

/** Each validator gets min(cap, pool / validators) coin per round; here the cap applies. */
function* liveness(): Generator<Check> {
  const of = subject('rewards: liveness of three validators, issuance rule');
  const scenario = scenarioOf(`
name: rewards
duration: { rounds: 40 }
network: { amuletPrice: '0.5', validatorFaucetCap: '2', expiresDust: false }
parties:
  - { name: validators, temperament: validator, count: 3, payments: null, opening: { coins: 0, amount: { constant: '1' } }, wallet: { merge: { never: true } } }
`);
  const minted = updatesOf(scenario, 'HoldingsMerged').map(({ detail }) => detail.minted);
  yield exactly(of, 'coin of each reward, 2 USD / 0.5 USD', '4.0', shown(minted));
  // The coupons of the last two of forty rounds are not payable yet.
  yield exactly(of, 'coin in forty rounds, 3 · 38 · 4', 456, figureOf(runScenario(scenario), 'rewards.minted'));
}

/** No wallet collects the coupons of the only super validator, so their whole value is unclaimed when a round closes. */
function* superValidators(): Generator<Check> {
  const of = subject('rewards: super validator of weight 10,000, issuance rule');
  const scenario = scenarioOf(`
name: super-validator
duration: { rounds: 8 }
network: { expiresDust: false }
parties:
  - { name: idle, count: 1, payments: null, opening: { coins: 0, amount: { constant: '1' } } }
`);
  // Coupons begin with round 1.
  const issued = updatesOf(scenario, 'IssuingStarted').filter(({ detail }) => detail.totals.svWeight > 0);
  const perWeight = issued.flatMap(({ created }) =>
    created.flatMap((contract) => (contract.template === 'IssuingMiningRound' ? [contract.perSvRewardCoupon] : [])),
  );
  const expired = updatesOf(scenario, 'ExpiredRewardsClaimed');
  yield exactly(
    of,
    'coin to issue per round, 40 · 10⁹ / 52,560 · 0.95',
    '722983.2572298326',
    shown(issued.map(({ detail }) => detail.toIssue)),
  );
  yield exactly(
    of,
    'coin of the development fund, 40 · 10⁹ / 52,560 · 0.05',
    '38051.7503805175',
    shown(issued.map(({ detail }) => detail.developmentFund)),
  );
  yield exactly(of, 'coin per unit of weight, 578,386.6057838661 / 10,000', '57.8386605784', shown(perWeight));
  yield exactly(
    of,
    'coin of a coupon that expires, 10,000 · 57.8386605784',
    '578386.605784',
    shown(expired.map(({ detail }) => detail.unclaimed)),
  );
}

/** A payment through a featured provider has a coupon of 1 USD. Its reward is capped per unit, or a share of the apps' pool. */
function* featuredApps(): Generator<Check> {
  const of = subject('rewards: featured apps, issuance rule');
  const scenario = (price: string, cap: string, count: number, isFeatured: boolean = true) =>
    scenarioOf(`
name: app
duration: { rounds: 12 }
network: { amuletPrice: '${price}', featuredAppRewardCap: '${cap}', expiresDust: false }
parties:
  - { name: payer, count: 1, opening: { coins: 1, amount: { constant: '1000' } }, wallet: { merge: { never: true } }, payments: { arrivals: { every: { rounds: 1, count: ${count} } }, amount: { constant: '1' }, to: { groups: [app] } } }
  - { name: app, count: 1, payments: null, featured: ${isFeatured}, opening: { coins: 0, amount: { constant: '1' } }, wallet: { merge: { never: true } } }
`);
  const mintedBy = (...of: Parameters<typeof scenario>): readonly Amount[] =>
    updatesOf(scenario(...of), 'HoldingsMerged')
      .map(({ detail }) => detail.minted)
      .filter((amount) => amount > 0n);
  const capped = mintedBy('0.5', '1.5', 1);
  yield exactly(of, 'coin of a payment under the cap, 1 USD / 0.5 USD · 1.5', '3.0', shown(capped));
  // A payment of a round has a coupon of the second next round, which is payable two rounds later.
  yield exactly(of, 'rewarded payments, one per round, in twelve rounds, 12 − 3', 9, capped.length);
  // 10 coupons of 200 coin share 108,447.4885844749 coin: 54.2237442922 coin per unit.
  yield exactly(
    of,
    'coin of ten payments that share the pool, 10 · 200 · 54.2237442922',
    '108447.4885844',
    shown(mintedBy('0.005', '100', 10)),
  );
  yield exactly(of, 'rewarded payments of a provider that is not featured', 0, mintedBy('0.5', '1.5', 1, false).length);
}

function shown(amounts: readonly Amount[]): string {
  return [...new Set(amounts)].map((amount) => Amount.short(amount)).join(', ');
}
