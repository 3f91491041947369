import { codec, Engine, PROFILE_NAMES, replay, stateHash, type Ledger } from '@coinlab/core';
import { busyNetwork, play, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('a refused command appends nothing and changes nothing (invariant 55)', () => {
    fc.assert(
      fc.property(sequences(30), (steps) => {
        let ledger = busyNetwork(profile);
        const engine = new Engine({}, ledger.state);
        for (const step of steps) {
          const { command, context } = resolve(step, ledger.state);
          const { offset, time, nextContract, minted, burned } = engine.state;
          const result = ledger.submit(command, context);
          const inPlace = engine.submit(command, context);
          expect(inPlace.ok).toBe(result.ok);
          if (result.ok) ledger = result.value.ledger;
          else expect(engine.state).toMatchObject({ offset, time, nextContract, minted, burned });
        }
        // Had a refusal left anything behind, the two would differ from the log that only holds what was accepted.
        expect(engine.hash()).toBe(ledger.hash());
        expect(replayed(ledger).hash()).toBe(ledger.hash());
      }),
      { numRuns: runs(15) },
    );
  });

  it('a replayed log gives the same state, each prefix gives a valid state, and writing the log again gives the same bytes (invariant 56)', () => {
    fc.assert(
      fc.property(sequences(30), fc.nat(), (steps, cut) => {
        const ledger = play(busyNetwork(profile), steps);
        const updates = ledger.updates();
        const lines = updates.map((update) => codec.encode(update));
        const until = cut % (updates.length + 1);
        const part = replay(updates.slice(0, until));
        expect(part.state.offset).toBe(until);
        expect(replayed(ledger).hash()).toBe(ledger.hash());
        expect(
          replayed(ledger)
            .updates()
            .map((update) => codec.encode(update)),
        ).toEqual(lines);
        // Goes on from the part as the whole did.
        let ledger_ = part;
        for (const update of updates.slice(until)) ledger_ = ledger_.apply(update);
        expect(ledger_.hash()).toBe(ledger.hash());
      }),
      { numRuns: runs(10) },
    );
  });

  it('a snapshot and the later entries give the state of the whole log (invariant 57)', () => {
    fc.assert(
      fc.property(sequences(20), sequences(20), (first, second) => {
        const middle = play(busyNetwork(profile), first);
        const engine = new Engine({}, middle.state);
        const end = play(middle, second);
        for (const update of end.updates(middle.state.offset)) engine.apply(update);
        expect(stateHash(engine.state)).toBe(end.hash());
        expect(replayed(end).hash()).toBe(end.hash());
      }),
      { numRuns: runs(10) },
    );
  });

  it('an ended contract accepts no further command (invariant 24)', () => {
    fc.assert(
      fc.property(sequences(40), (steps) => {
        let ledger = busyNetwork(profile);
        for (const step of steps) {
          const { command, context } = resolve(step, ledger.state);
          const result = ledger.submit(command, context);
          if (!result.ok) continue;
          ledger = result.value.ledger;
          if (!ENDINGS.test(command.type)) continue;
          expect(ledger.check(command, context)).toMatchObject({ code: 'CONTRACT_NOT_FOUND' });
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

/** Commands that end an offer, a request, a proposal, a delegation or a preapproval that they name. */
const ENDINGS =
  /^(Accept|Reject|Withdraw|Cancel|Abort|Complete|Expire|Reclaim|Collect)\w*(Offer|Request|Proposal|Delegation|Preapproval|Payment|Command)$/;

function replayed(ledger: Ledger): Ledger {
  const lines = ledger.updates().map((update) => codec.encode(update));
  return replay(
    lines.map((text, i) => {
      const update = codec.decode(text, i + 1);
      if (!update.ok) throw new Error(`line ${update.error.line}: ${update.error.reason}`);
      return update.value;
    }),
  );
}
