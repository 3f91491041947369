import { PROFILE_NAMES } from '@coinlab/core';
import { POLICY_NAMES, type ScenarioInput } from '@coinlab/sim';
import fc from 'fast-check';
import { scenarioFrom } from './check.ts';

type Change = { atRound: number; amuletPrice: string; holdingFee: string };
type GroupInput = ScenarioInput['parties'][number];

const decimals = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values);

const amounts: fc.Arbitrary<NonNullable<GroupInput['opening']>['amount']> = fc.oneof(
  decimals('0.0000000001', '0.7', '25').map((constant) => ({ constant })),
  decimals('3', '40').map((most) => ({ uniform: { least: '0.001', most } })),
  decimals('0.5', '20').map((mean) => ({ exponential: { mean } })),
  decimals('2', '30').map((median) => ({ logNormal: { median, sigma: 1.2 } })),
  decimals('0.4', '5').map((least) => ({ pareto: { least, shape: 1.3 } })),
);

const arrivals: fc.Arbitrary<NonNullable<GroupInput['payments']>['arrivals']> = fc.oneof(
  fc.constantFrom(0.5, 1).map((perDay) => ({ poisson: { perDay } })),
  fc.record({ perDay: fc.constantFrom(0.2, 0.5), size: fc.integer({ min: 2, max: 5 }) }).map((bursts) => ({ bursts })),
  fc.record({ rounds: fc.integer({ min: 72, max: 144 }), count: fc.constant(1) }).map((every) => ({ every })),
);

const counts = fc.integer({ min: 1, max: 12 });

/** Merging habits. All users of a wallet provider share its settings. */
const merging: fc.Arbitrary<NonNullable<GroupInput['wallet']>['merge']> = fc.oneof(
  fc.constant({ never: true as const }),
  counts.map((threshold) => ({ threshold })),
  fc.record({ every: fc.constantFrom('1h', '6h'), above: counts }).map((period) => ({ period })),
  fc
    .record({ keep: fc.integer({ min: 1, max: 4 }), above: fc.integer({ min: 4, max: 12 }) })
    .map((keepLargest) => ({ keepLargest })),
  fc.record({ below: decimals('0.5', '5'), above: counts }).map((dustFirst) => ({ dustFirst })),
  fc.constant({ delegated: { operator: 'providers', above: 6, every: '2h' } }),
);

const faults: fc.Arbitrary<NonNullable<GroupInput['wallet']>['faults']> = fc.constantFrom(
  [],
  [],
  [],
  [],
  [{ floatAmounts: true as const }],
  [{ staleInputs: '30m' }],
  [{ skipsSmallerThan: '0.5' }],
);

const receives: fc.Arbitrary<GroupInput['receives']> = fc.constantFrom(
  { preapproved: true as const },
  { preapproved: true as const },
  { offers: { accepts: 0.6, rejects: 0.2, withdraws: 0.1, expiresAfter: '2h' } },
);

function users(name: string, count: number): fc.Arbitrary<GroupInput> {
  return fc
    .record({
      payments: fc.record({
        arrivals,
        amount: amounts,
        whenShort: fc.constantFrom('drop' as const, 'wait' as const),
        choice: fc.constantFrom({ uniform: true as const }, { zipf: 1.1 }, { communities: { size: 20, stay: 0.8 } }),
      }),
      opening: fc.record({ coins: fc.integer({ min: 1, max: 6 }), amount: amounts }),
      income: fc.option(fc.record({ every: fc.integer({ min: 20, max: 60 }), amount: amounts })),
      wallet: fc.record({
        select: fc.constantFrom(...POLICY_NAMES),
        merge: merging,
        faults,
        sweep: fc.option(fc.constant({ to: 'shops', above: '200', keep: '20' }), { freq: 5 }),
      }),
      receives,
      validator: fc.option(fc.constant('hosts')),
      automation: fc.constantFrom({}, {}, { collects: true }, { mints: { every: '2h' } }),
    })
    .map(({ payments: { choice, ...payments }, automation, validator, ...group }) => ({
      ...group,
      name,
      count,
      validator,
      payments: { ...payments, to: { choice } },
      automation: validator === null && automation.mints ? {} : automation,
    }));
}

/** Random scenarios of one simulated day: groups, policies, arrivals, profiles, prices, merging, delegation, rewards and faults. */
export function scenarios(parties: { readonly least: number; readonly most: number }): fc.Arbitrary<ScenarioInput> {
  return fc
    .record({
      size: fc.integer({ min: parties.least, max: parties.most }),
      share: fc.constantFrom(0.2, 0.5, 0.8),
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      network: fc.record({
        profile: fc.constantFrom(...PROFILE_NAMES),
        maxInputs: fc.integer({ min: 3, max: 100 }),
        amuletPrice: decimals('0.0371', '0.1558', '1', '7'),
        holdingFee: decimals('0.0000190259', '0.003', '0.05'),
        rewards: fc.boolean(),
        changes: fc.constantFrom<Change[]>([], [], [{ atRound: 60, amuletPrice: '0.25', holdingFee: '0.01' }]),
      }),
      topUp: fc.option(fc.constant({ bytesPerSecond: 2_000 })),
    })
    .chain(({ size, share, seed, network, topUp }) => {
      const rest = size - FIXED;
      const first = Math.round(rest * share);
      return fc
        .record({ first: users('payers', first), second: users('others', rest - first) })
        .map(({ first: payers, second: others }) => ({
          name: 'random',
          seed,
          duration: { rounds: 144 },
          network,
          parties: [
            payers,
            others,
            { name: 'shops', temperament: 'merchant' as const, count: 12 },
            {
              name: 'providers',
              count: 3,
              payments: null,
              opening: { coins: 5, amount: { constant: '5000' } },
              wallet: { merge: { never: true as const } },
            },
            { name: 'hosts', temperament: 'validator' as const, count: 3, automation: topUp ? { topUp } : {} },
            { name: 'apps', temperament: 'app-provider' as const, count: 2 },
          ],
        }));
    })
    .filter((input) => scenarioFrom(input) !== null);
}

const FIXED = 20;
