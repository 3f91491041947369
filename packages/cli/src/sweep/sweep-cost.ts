import { shardText, type Cost, type Shard } from '@coinlab/lab';
import { grouped } from '../table.js';

/** `8 points × 3 replicates = 24 runs; about 2 minutes from a trial run`. */
export function costText(
  { points, replicates, runs, toPlay, secondsPerRun, seconds, workers }: Cost,
  shard: Shard,
): string {
  const whole = `${grouped(points)} points × ${grouped(replicates)} replicates = ${grouped(runs)} runs`;
  const own =
    toPlay === runs
      ? ''
      : shard.of > 1
        ? `, ${grouped(toPlay)} of them here (shard ${shardText(shard)})`
        : `, ${grouped(toPlay)} of them still to be played`;
  if (toPlay === 0) return `${whole}; all of them${shard.of > 1 ? ` of shard ${shardText(shard)}` : ''} are there\n`;
  const each = secondsPerRun < 10 ? secondsPerRun.toFixed(2) : grouped(Math.round(secondsPerRun));
  return `${whole}${own}; about ${spanText(seconds)} with ${workers} ${workers === 1 ? 'worker' : 'workers'}, from trial runs of ${each} s\n`;
}

function spanText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${(seconds / 3_600).toFixed(1)} hours`;
}
