import {
  Amount,
  balanceOf,
  brokenLaws,
  countOf,
  Duration,
  Instant,
  LAWS,
  PROFILE_NAMES,
  type Ledger,
  type PartyId,
} from '@coinlab/core';
import {
  DSO_DEFAULTS,
  habitsOf,
  MERGE_DEFAULTS,
  PREAPPROVAL_DEFAULTS,
  runAutomation,
  treasuryOf,
  type AutomationConfig,
  type AutomationRun,
} from '@coinlab/automation';
import { newestUsableRound } from '@coinlab/core/rules';
import { busyNetwork, cast, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { automated, sweepTo } from '../automation/automation-fixture.ts';

const { founders, hoarder, people, provider } = cast;

const [alice, bob, carol] = people;

const at = automated(provider, [provider, ...people, hoarder], {
  memberId: 'PAR::one::1220',
  preapprovals: { ...PREAPPROVAL_DEFAULTS, acceptsForeignReceivers: true },
  sweeps: { [alice]: sweepTo(bob, '10', '2'), [bob]: sweepTo(alice, '5', '4', true) },
  walletOffers: 'locked',
  autoAccept: { [carol]: { fromParties: people, instructions: 'all' } },
});

const config: AutomationConfig = {
  dso: DSO_DEFAULTS,
  superValidators: founders.map((sv) => ({ sv, beneficiaries: [{ beneficiary: alice, weight: 7 }] })),
  validators: [at, { ...at, validator: carol, wallets: [], walletOffers: 'public', sweeps: {}, autoAccept: {} }],
  mergeOperators: [{ operator: provider, ...MERGE_DEFAULTS }],
};

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('automation keeps every law and comes to rest after random commands (invariants 51 and 54)', () => {
    fc.assert(
      fc.property(sequences(40), fc.constantFrom(0, 1, 700, 4000, 90_000, 8_000_000), (steps, wait) => {
        let ledger = busyNetwork(profile);
        for (const step of steps) {
          const { command, context } = resolve(step, ledger.state);
          const result = ledger.submit(command, context);
          if (result.ok) ledger = result.value.ledger;
        }
        const now = Instant.plus(ledger.state.time, Duration.seconds(wait));
        const rested = rest(ledger, now);
        for (const { name, policy } of habitsOf(config, rested.state)) {
          expect(policy(rested.state, now), `${name} has nothing more to do`).toEqual([]);
        }
        for (const party of people) requireFew(rested, party, now);
      }),
      { numRuns: runs(60) },
    );
  });
});

/** Runs until nothing has anything more to do; each turn starts what it finds in a state that the one before left. */
function rest(start: Ledger, now: Instant): Ledger {
  let ledger = start;
  for (let turn = 0; turn < 6; turn++) {
    const before = ledger;
    const run = runAutomation(driver(), config, now);
    expect(run.refused.map(readable)).toEqual([]);
    if (ledger === before) return ledger;
  }
  throw new Error('automation goes on and on');

  function driver(): Parameters<typeof runAutomation>[0] {
    return {
      get state() {
        return ledger.state;
      },
      submit(command, context) {
        const result = ledger.submit(command, context);
        if (!result.ok) return result;
        const step = { before: ledger.state, update: result.value.update, after: result.value.ledger.state };
        const broken = brokenLaws(LAWS, step).map(({ name }) => name);
        expect(broken, `${command.type} keeps every law`).toEqual([]);
        ledger = result.value.ledger;
        return result;
      },
    };
  }
}

/** Invariant 51: what a wallet's merge leaves is one coin, or what is not worth a coin's fee. */
function requireFew({ state }: Ledger, party: PartyId, now: Instant): void {
  const open = newestUsableRound(state, now);
  if (!open || balanceOf(state, party).unlocked === 0n) return;
  const { coins, coinTotal } = treasuryOf(state, party, now);
  const fee = Amount.div(open.transferConfigUsd.createFee, open.amuletPrice);
  expect(coins <= 1 || coinTotal <= fee, `${countOf(state, party)} coins of ${party}`).toBe(true);
}

function readable({ task, rejection }: AutomationRun['refused'][number]): string {
  return `${task.command.type} ${rejection.code} ${JSON.stringify(rejection, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )}`;
}
