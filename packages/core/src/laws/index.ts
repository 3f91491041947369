import { authorizationLaws } from './authorization.js';
import { counterLaws } from './counters.js';
import { externalLaws } from './external.js';
import type { Law } from './law.js';
import { limitLaws } from './limits.js';
import { mergingLaws } from './merging.js';
import { rewardLaws } from './rewards.js';
import { roundLaws } from './rounds.js';
import { singleUseLaws } from './single-use.js';
import { timeLaws } from './time.js';
import { valueLaws } from './value.js';

/**
 * Every law of the ledger. Each looks only at what an update touches, so all of them can be checked after every update; the
 * invariants that no single step can show are properties of the test suite.
 * Source: specification §10.
 */
export const LAWS: readonly Law[] = [
  ...valueLaws,
  ...singleUseLaws,
  ...limitLaws,
  ...timeLaws,
  ...authorizationLaws,
  ...rewardLaws,
  ...roundLaws,
  ...counterLaws,
  ...mergingLaws,
  ...externalLaws,
];
