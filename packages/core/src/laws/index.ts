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
 * All laws of the ledger. Each reads only the contracts of an update, so all can be checked after every update;
 * invariants over several steps are properties of the test suite.
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
