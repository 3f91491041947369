import { dueBy } from '@coinlab/core/views';
import { Duration, Instant, type Contract, type LedgerState } from '@coinlab/core';
import type { Dice } from './dice.js';

interface Clock {
  readonly state: LedgerState;
  readonly now: Instant;
  readonly dice: Dice;
}

export const LONG: Duration = Duration.hours(1);

export function near({ now, dice }: Clock, deadline: Instant, choices: readonly (Instant | number)[]): Instant {
  const choice = dice.pick(choices) ?? 0;
  const at = typeof choice === 'bigint' ? choice : Instant.plus(deadline, Duration.ofMicros(BigInt(choice)));
  return Instant.later(now, at);
}

export function waited(clock: Clock): Instant {
  const { now, dice } = clock;
  switch (dice.roll(16)) {
    case 10:
    case 11:
      return Instant.plus(now, Duration.seconds(600));
    case 12:
    case 13: {
      const next = nextDeadline(clock);
      return next - now > LONG && !dice.chance(10) ? now : near(clock, next, [0, -1, 1]);
    }
    case 14:
      return dice.chance(30) ? Instant.plus(now, Duration.hours(1 + dice.roll(24))) : now;
    case 15:
      return dice.chance(5) ? Instant.plus(now, Duration.days(1 + dice.roll(100))) : now;
    default:
      return Instant.plus(now, Duration.seconds(dice.roll(20)));
  }
}

function nextDeadline({ state, now }: Clock): Instant {
  for (const contract of dueBy(state, Instant.latest)) {
    const deadline = deadlineOf(contract);
    if (deadline !== null && deadline > now) return deadline;
  }
  return now;
}

function deadlineOf(contract: Contract): Instant | null {
  if ('targetClosesAt' in contract) return contract.targetClosesAt;
  if ('expiresAt' in contract) return contract.expiresAt;
  if (contract.template === 'TransferInstruction') return contract.transfer.executeBefore;
  return null;
}
