import { Amount, Duration, err, ok, type ContractId, type PartyId, type Round, type UpdateKind } from '@coinlab/core';
import {
  DSO_DEFAULTS,
  dsoRoutines,
  PREAPPROVAL_DEFAULTS,
  runHabits,
  type Driver,
  type Policy,
  type SweepConfig,
  type ValidatorAutomation,
} from '@coinlab/automation';
import { expect } from 'vitest';
import { alice, amount, bob, dso, provider, second, type World } from '../core/ledger-fixture.ts';

/** Buys traffic for 100 bytes per second. */
export const TOP_UP: NonNullable<ValidatorAutomation['topUp']> = {
  targetThroughput: 100,
  minTopupInterval: Duration.minutes(10),
  pollingInterval: Duration.seconds(30),
  tap: 'when-lacking',
};

/** A validator that has every habit, apart from those that name other parties. */
export function automated(
  validator: PartyId,
  wallets: ValidatorAutomation['wallets'],
  changes: Partial<ValidatorAutomation> = {},
): ValidatorAutomation {
  return {
    validator,
    memberId: 'PAR::provider',
    wallets,
    recordsLiveness: true,
    collectsRewards: true,
    completesOffers: true,
    mintsByDelegation: true,
    sendsTransferCommands: true,
    renewsNames: true,
    acceptsMergeDelegations: true,
    topUp: TOP_UP,
    preapprovals: PREAPPROVAL_DEFAULTS,
    sweeps: {},
    walletOffers: 'public',
    autoAccept: {},
    clockSkewGrace: Duration.seconds(5),
    ...changes,
  };
}

/** Sweeps above a balance in US dollars down to another, into the wallet of the receiver. */
export function sweepTo(receiver: PartyId, max: string, min: string, useTransferPreapproval = false): SweepConfig {
  return { receiver, maxBalanceUSD: Amount.of(max), minBalanceUSD: Amount.of(min), useTransferPreapproval };
}

/** A world as automation drives it: every command goes through all the checks of the world. */
export function driverOf(world: World): Driver {
  return {
    get state() {
      return world.state;
    },
    submit(command, context) {
      const refusal = world.ledger.check(command, context);
      if (refusal) return err(refusal);
      world.at(context.now);
      const update = world.submit(command, ...context.actAs);
      return ok({ update, entry: update });
    },
  };
}

/**
 * Lets a policy have its turn at the world's time. It asks for nothing that is refused, answers the same when asked twice, and has
 * nothing more to do afterwards.
 * @returns the kinds of updates that came of it
 */
export function settle(world: World, policy: Policy): readonly UpdateKind[] {
  expect(policy(world.state, world.now)).toEqual(policy(world.state, world.now));
  const habit = { name: 'tested', cadence: 'frequent', policy } as const;
  const { accepted, refused } = runHabits(driverOf(world), [habit], world.now);
  expect(refused).toEqual([]);
  expect(policy(world.state, world.now)).toEqual([]);
  return accepted.map(({ kind }) => kind);
}

export function dsoRoutine(name: string): Policy {
  const policy = dsoRoutines(DSO_DEFAULTS)[name];
  if (!policy) throw new Error(`the DSO has no routine named ${name}`);
  return policy;
}

/** Puts a round on the ledger whose coupons pay: validators 1, featured apps 2, others 0.5, SVs 3 a weight, liveness 10. */
export function issuingRound(world: World, round: number): void {
  world.put({
    template: 'IssuingMiningRound',
    round: round as Round,
    opensAt: world.now,
    targetClosesAt: world.now,
    perValidatorRewardCoupon: amount('1'),
    perFeaturedAppRewardCoupon: amount('2'),
    perUnfeaturedAppRewardCoupon: amount('0.5'),
    perSvRewardCoupon: amount('3'),
    perValidatorFaucetCoupon: amount('10'),
  });
}

/** Gives a party featured app coupons of the given amounts, each worth twice that. */
export function appCoupons(world: World, provider: PartyId, round: number, values: readonly string[]) {
  return values.map((value) =>
    world.put({
      template: 'AppRewardCoupon',
      provider,
      featured: true,
      amount: amount(value),
      round: round as Round,
      beneficiary: null,
    }),
  );
}

/** Founds the DSO with one super validator. */
export function found(world: World, sv: PartyId, rewardWeight: number = 10): void {
  world.submit({ type: 'BootstrapDso', svs: [{ party: sv, name: 'SV', rewardWeight, participantId: 'PAR::sv' }] }, dso);
}

/** A transfer that alice has ordered of the provider, to bob. */
export function order(world: World, nonce: number, value = '5'): ContractId {
  const expiresAt = second(600);
  const terms = { sender: alice, receiver: bob, delegate: provider, amount: amount(value), expiresAt, nonce };
  return world.accepted('TransferCommandCreated', { type: 'CreateTransferCommand', ...terms }, alice).detail.command;
}

export function preapprove(world: World): ContractId {
  const times = { validFrom: world.now, lastRenewedAt: world.now, expiresAt: second(3600) };
  return world.put({ template: 'TransferPreapproval', receiver: bob, provider, ...times });
}
