import { Duration, GENESIS_TIME, Instant, type LedgerState } from '@coinlab/core';
import type { ServerConfig } from '../config.js';

/** Where a server's ledger time comes from. It never goes back. */
export interface Clock {
  now(): Instant;
  /** Moves the time on by hand; a real clock is then ahead by as much. */
  advance(by: Duration): void;
  /** How many seconds of ledger time pass in one second; 0: only by hand. */
  readonly speed: number;
}

/**
 * A clock that starts at a time and runs `speed` times as fast as the machine's; with speed 0 it moves only by hand.
 * @param micros reads a clock that never goes back, in microseconds
 */
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

/**
 * The clock of a server. It never starts before the time of its ledger.
 * @param recovered the state that the log led to, and whether the log is of another network; null: there is no log
 */
export function clockOf(
  { clock, startsAt }: Pick<ServerConfig, 'clock' | 'startsAt'>,
  recovered: { readonly state: LedgerState; readonly isForeign?: true } | null,
): Clock {
  const ledgerTime = recovered?.state.time ?? Instant.earliest;
  const byDefault = recovered?.isForeign ? ledgerTime : clock === 'manual' ? GENESIS_TIME : machineTime();
  const start = Instant.later(ledgerTime, startsAt === undefined ? byDefault : Instant.of(startsAt));
  return clockFrom(start, clock === 'real' ? 1 : clock === 'manual' ? 0 : clock);
}

/** The machine's own time. */
export function machineTime(): Instant {
  return Instant.ofMicros(BigInt(Date.now()) * 1_000n);
}

/**
 * Says how far ledger time is from the machine's, in whole seconds: `ledger time is 120 s ahead of machine time`. Null when both
 * are within a second.
 */
export function differenceToMachine(ledgerTime: Instant, machine: Instant = machineTime()): string | null {
  const seconds = Instant.between(machine, ledgerTime) / 1_000_000n;
  if (seconds === 0n) return null;
  return `ledger time is ${seconds < 0n ? -seconds : seconds} s ${seconds < 0n ? 'behind' : 'ahead of'} machine time`;
}

// A speed has at most six places: 1.5 is 1500000 millionths. Nearly every clock runs as the machine's does, and is read all the time.
function scaled(micros: bigint, speed: number): bigint {
  if (speed === 1) return micros;
  return (micros * BigInt(Math.round(speed * 1_000_000))) / 1_000_000n;
}
