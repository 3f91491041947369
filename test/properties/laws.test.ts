import { emptyLedger, PROFILE_NAMES, type CommandType } from '@coinlab/core';
import { busyNetwork, Coverage, drawn, play, sequences, type Drawn } from '@coinlab/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

/** Over all profiles: what one of them forbids may be covered in another. */
const coverage = new Coverage();
/** Most commands of one sequence. */
const MOST = 60;

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('every law holds after every command', () => {
    fc.assert(
      fc.property(sequences(MOST), (steps) => {
        play(busyNetwork(profile), steps, coverage);
      }),
      { numRuns: runs(1000) },
    );
  }, 600_000);
});

it('every law holds from the first command of a network on', () => {
  const first = (type: CommandType): fc.Arbitrary<Drawn> => drawn.map(({ rolls }) => ({ type, rolls }));
  const opening = fc.tuple(first('OpenLedger'), first('BootstrapRounds'), first('BootstrapDso'));
  fc.assert(
    fc.property(opening, sequences(20), (commands, steps) => {
      play(emptyLedger(), [...commands, ...steps], coverage);
    }),
    { numRuns: runs(100) },
  );
});

describe('the commands of the suite', () => {
  it('cover every command, accepted and refused, and every kind of update', () => {
    expect(coverage.gaps()).toEqual({ neverAccepted: [], neverRefused: [], neverHappened: [] });
  });
});
