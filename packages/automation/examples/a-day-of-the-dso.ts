// Runs the routines of the DSO for a day, polled every 30 seconds.
import { DSO_DEFAULTS, runAutomation } from '@coinlab/automation';
import { Duration, GENESIS_TIME, Instant, openEngine } from '@coinlab/core';

const config = { dso: DSO_DEFAULTS, superValidators: [], validators: [], mergeOperators: [] };
const engine = openEngine();
const counts = new Map<string, number>();
for (let poll = 1; poll <= 2880; poll++) {
  const now = Instant.plus(GENESIS_TIME, Duration.times(Duration.seconds(30), poll));
  for (const { kind } of runAutomation(engine, config, now).accepted) counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
for (const [kind, count] of counts) console.log(count, kind);

// Prints:
// 137 RoundsAdvanced
// 137 IssuingStarted
// 134 RoundClosed
// 134 RoundArchived
// 13 UnclaimedRewardsMerged
// 13 DevelopmentFundMerged
