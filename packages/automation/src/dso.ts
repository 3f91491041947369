import {
  Duration,
  Instant,
  rulesOf,
  settingsOf,
  type Command,
  type ContractId,
  type LedgerState,
  type PartyId,
  type TransferInstruction,
} from '@coinlab/core';
import { memberKey } from '@coinlab/core/contracts';
import {
  closableRounds,
  closedRounds,
  convertibleMarkers,
  DSO_CONFIG,
  dsoRulesOf,
  dustRoundOf,
  earliestAdvance,
  expirableCoupons,
  hasCurrentRound,
  newestUsableRound,
  nextAmuletPrice,
  poolToMerge,
  rulingOn,
  summarizingRounds,
  tallyOf,
} from '@coinlab/core/rules';
import { allOf, contractsByKey, countByKey, dueOf, dustExpiringAt, firstByKey } from '@coinlab/core/views';
import { applyAction, Effects, firstOf } from '@coinlab/core/workflows';
import { collectNamePayments } from './names.js';
import { tasksOf, type Policy } from './task.js';

/** Settings of the DSO's routines. Source: specification §2.6, §8.10. */
export interface DsoConfig {
  /** Delay between the moment when an action is due and the action, because clocks differ. */
  readonly clockSkewGrace: Duration;
  readonly expiresDust: boolean;
  /** Maximum number of expired coins in one command, and of other expired contracts per run of the policy. */
  readonly expiryBatch: number;
  readonly couponBatch: number;
  readonly markerBatch: number;
}

/** The network's settings of the DSO's routines. Source: specification §2.6, §8.10. */
export const DSO_DEFAULTS: DsoConfig = {
  clockSkewGrace: Duration.seconds(5),
  expiresDust: true,
  expiryBatch: 100,
  couponBatch: 20,
  markerBatch: 100,
};

/**
 * Returns the routines of the DSO by name, in the order in which they run: votes and rounds first, since the others
 * depend on them.
 * Source: specification §8.10. Assumption: A-76.
 */
export function dsoRoutines(config: DsoConfig): Readonly<Record<string, Policy>> {
  return {
    'close votes': closeVotes,
    'advance rounds': advanceRounds(config),
    'advance config states': advanceConfigStates(config),
    'start issuing': startIssuing,
    'close rounds': closeRounds(config),
    'claim expired rewards': claimExpiredRewards(config),
    'archive rounds': archiveRounds,
    'convert markers': convertMarkers(config),
    'expire dust': expireDust(config),
    'merge pools': mergePools,
    'merge traffic': mergeMemberTraffic,
    'expire contracts': expireContracts(config),
    'expire instructions': expireInstructions(config),
    'create counters': createCounters,
    'collect name payments': collectNamePayments,
  };
}

/**
 * A new round opens one tick after the time of its advance. If no open round is current (past `opensAt`, before its
 * target close), clients need one at once: the advance is then dated one tick before now, but never before it is due or
 * before the last update. Source: specification §6.3. Assumption: A-100.
 */
function advanceRounds({ clockSkewGrace }: DsoConfig): Policy {
  return (state, now) => {
    const earliest = earliestAdvance(state);
    if (earliest === null) return [];
    const due = Instant.plus(earliest, clockSkewGrace);
    const amuletPrice = due > now ? null : nextAmuletPrice(state);
    if (amuletPrice === null) return [];
    const tasks = byDso(state, [{ type: 'AdvanceOpenRounds', amuletPrice }]);
    const tick = rulesOf(state)?.config.tickDuration;
    if (tick === undefined || hasCurrentRound(state, now)) return tasks;
    const at = Instant.later(Instant.later(due, state.time), before(now, tick));
    return tasks.map((task) => ({ ...task, at }));
  };
}

function advanceConfigStates({ clockSkewGrace }: DsoConfig): Policy {
  return (state, now) => {
    const due = dueOf(state, 'ExternalPartyConfigState', before(now, clockSkewGrace));
    return firstOf(due, 1).length > 0 ? byDso(state, [{ type: 'AdvanceConfigStates' }]) : [];
  };
}

const startIssuing: Policy = (state) =>
  byDso(
    state,
    summarizingRounds(state).map(({ round }) => ({ type: 'StartIssuing', round })),
  );

function closeRounds({ clockSkewGrace }: DsoConfig): Policy {
  return (state, now) =>
    byDso(
      state,
      closableRounds(state, before(now, clockSkewGrace)).map(({ round }) => ({ type: 'CloseRound', round })),
    );
}

/** Source: specification §6.5. */
function claimExpiredRewards({ couponBatch }: DsoConfig): Policy {
  return (state) =>
    byDso(
      state,
      closedRounds(state).flatMap(({ round }) => {
        const coupons = expirableCoupons(state, round, couponBatch).map(({ id }) => id);
        return coupons.length > 0 ? [{ type: 'ClaimExpiredRewards', round, coupons }] : [];
      }),
    );
}

const archiveRounds: Policy = (state) =>
  byDso(
    state,
    closedRounds(state)
      .filter(({ round }) => expirableCoupons(state, round, 1).length === 0)
      .map(({ round }) => ({ type: 'ArchiveClosedRound', round })),
  );

/** Source: specification §6.6. */
function convertMarkers({ markerBatch }: DsoConfig): Policy {
  return (state, now) => {
    const markers = convertibleMarkers(state, markerBatch).map(({ id }) => id);
    const isPossible = markers.length > 0 && newestUsableRound(state, now) !== null;
    return isPossible ? byDso(state, [{ type: 'ConvertActivityMarkers', markers }]) : [];
  };
}

/** Source: specification §4.2, §4.3. */
function expireDust({ expiresDust, expiryBatch }: DsoConfig): Policy {
  return (state, now) => {
    const judgedAt = dustRoundOf(state);
    if (!expiresDust || judgedAt === null) return [];
    const { expiresLockedDust } = settingsOf(state).profile;
    const holdings: ContractId[] = [];
    for (const { id, lock } of dustExpiringAt(state, judgedAt)) {
      if (lock && now < lock.expiresAt && !expiresLockedDust) continue;
      holdings.push(id);
      if (holdings.length >= expiryBatch) break;
    }
    return holdings.length > 0 ? byDso(state, [{ type: 'ExpireDust', holdings }]) : [];
  };
}

/** Source: specification §6.5, §2.6. */
const mergePools: Policy = (state) => {
  const { mergeUnclaimedRewardsAbove: above } = dsoConfigOf(state);
  const rewards = poolToMerge(state, 'UnclaimedReward', above);
  const coupons = poolToMerge(state, 'UnclaimedDevelopmentFundCoupon', above);
  const commands: Command[] = [];
  if (rewards.length > 0) commands.push({ type: 'MergeUnclaimedRewards', rewards });
  if (coupons.length > 0) commands.push({ type: 'MergeDevelopmentFund', coupons });
  return byDso(state, commands);
};

/** Linear in the number of members. Source: specification §2.6, §8.10. */
const mergeMemberTraffic: Policy = (state) => {
  const { mergeMemberTrafficAbove: above } = dsoConfigOf(state);
  const commands: Command[] = [];
  for (const member of allOf(state, 'MemberTrafficBalance')) {
    const key = memberKey(member);
    if (countByKey(state, 'MemberTraffic', key) <= above) continue;
    const contracts = [...contractsByKey(state, 'MemberTraffic', key)].map(({ id }) => id);
    commands.push({ type: 'MergeMemberTraffic', contracts });
  }
  return byDso(state, commands);
};

function expireContracts({ clockSkewGrace, expiryBatch }: DsoConfig): Policy {
  return (state, now) => {
    const until = before(now, clockSkewGrace);
    const expired = (template: ExpiringTemplate, command: (id: ContractId) => Command): readonly Command[] => {
      const due: Iterable<{ readonly id: ContractId }> = dueOf(state, template, until);
      return firstOf(due, expiryBatch).map(({ id }) => command(id));
    };
    return byDso(state, [
      ...expired('TransferPreapproval', (preapproval) => ({ type: 'ExpirePreapproval', preapproval })),
      ...expired('SubscriptionIdleState', (subscription) => ({ type: 'ExpireAnsSubscription', subscription })),
      ...expired('AnsEntry', (entry) => ({ type: 'ExpireAnsEntry', entry })),
      ...expired('UnclaimedActivityRecord', (record) => ({ type: 'ExpireActivityRecord', record })),
      ...expired('DevelopmentFundCoupon', (coupon) => ({ type: 'ExpireDevelopmentFundCoupon', coupon })),
    ]);
  };
}

type ExpiringTemplate =
  'TransferPreapproval' | 'SubscriptionIdleState' | 'AnsEntry' | 'UnclaimedActivityRecord' | 'DevelopmentFundCoupon';

/** Source: specification §7.1, §8.10. */
function expireInstructions({ clockSkewGrace, expiryBatch }: DsoConfig): Policy {
  return (state, now) => {
    if (!settingsOf(state).profile.dsoExpiresInstructions) return [];
    const due: Iterable<TransferInstruction> = dueOf(state, 'TransferInstruction', before(now, clockSkewGrace));
    return byDso(
      state,
      firstOf(due, expiryBatch).map(({ id }) => ({ type: 'ExpireOffer', instruction: id })),
    );
  };
}

const createCounters: Policy = (state) => {
  const senders = new Set<PartyId>();
  for (const { sender } of allOf(state, 'TransferCommand')) {
    if (!firstByKey(state, 'TransferCommandCounter', sender)) senders.add(sender);
  }
  return byDso(
    state,
    [...senders].map((sender) => ({ type: 'CreateTransferCommandCounter', sender })),
  );
};

/** Source: specification §3.19. */
const closeVotes: Policy = (state, now) => {
  const rules = dsoRulesOf(state);
  if (!rules) return [];
  const { failureAborts } = settingsOf(state).profile;
  for (const request of allOf(state, 'VoteRequest')) {
    const ruling = rulingOn(request, tallyOf(request.votes, rules), now);
    if (ruling === 'open') continue;
    const fails = ruling === 'accepted' && applyAction(request.action, state, new Effects(state), now) !== null;
    // One at a time: the action may change the voters of the next request.
    if (!fails || !failureAborts) return byDso(state, [{ type: 'CloseVote', request: request.id }]);
  }
  return [];
};

function byDso(state: LedgerState, commands: readonly Command[]): ReturnType<Policy> {
  return tasksOf(settingsOf(state).dso, commands);
}

function dsoConfigOf(state: LedgerState): typeof DSO_CONFIG {
  return dsoRulesOf(state)?.config ?? DSO_CONFIG;
}

function before(now: Instant, grace: Duration): Instant {
  return Instant.plus(now, Duration.ofMicros(-grace));
}
