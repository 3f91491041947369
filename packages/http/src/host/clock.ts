import { Duration, GENESIS_TIME, Instant, type LedgerState } from '@coinlab/core';
import type { ServerConfig } from '../config.js';

export interface Clock {
  now(): Instant;
  /** A real clock stays ahead by this duration. */
  advance(by: Duration): void;
  /** Seconds of ledger time per second; 0 is a manual clock. */
  readonly speed: number;
}

function clockFrom(
  start: Instant,
  speed: number,
  micros: () => bigint = () => BigInt(Math.trunc(performance.now() * 1_000)),
): Clock {
  const began = micros();
  let ahead = 0n;
  return {
    speed,
    now: () => Instant.plus(start, Duration.ofMicros(ahead + scaled(micros() - began, speed))),
    advance(by) {
      ahead += by;
    },
  };
}

export function clockOf(
  { clock, startsAt }: Pick<ServerConfig, 'clock' | 'startsAt'>,
  recovered: { readonly state: LedgerState; readonly isForeign?: true } | null,
): Clock {
  const ledgerTime = recovered?.state.time ?? Instant.earliest;
  const byDefault = recovered?.isForeign ? ledgerTime : clock === 'manual' ? GENESIS_TIME : machineTime();
  const start = Instant.later(ledgerTime, startsAt === undefined ? byDefault : Instant.of(startsAt));
  return clockFrom(start, clock === 'real' ? 1 : clock === 'manual' ? 0 : clock);
}

export function machineTime(): Instant {
  return Instant.ofMicros(BigInt(Date.now()) * 1_000n);
}

/** Describes the difference in whole seconds: `ledger time is 120 s ahead of machine time`. Returns null when it is less than a second. */
export function differenceToMachine(ledgerTime: Instant, machine: Instant = machineTime()): string | null {
  const seconds = Instant.between(machine, ledgerTime) / 1_000_000n;
  if (seconds === 0n) return null;
  return `ledger time is ${seconds < 0n ? -seconds : seconds} s ${seconds < 0n ? 'behind' : 'ahead of'} machine time`;
}

// A speed has at most six decimal places: 1.5 is 1500000 millionths. Speed 1 is a fast path, since the clock is read often.
function scaled(micros: bigint, speed: number): bigint {
  if (speed === 1) return micros;
  return (micros * BigInt(Math.round(speed * 1_000_000))) / 1_000_000n;
}
