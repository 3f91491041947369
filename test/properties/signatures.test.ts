import { Duration, Instant, prepare, PROFILE_NAMES, type Command, type Ledger } from '@coinlab/core';
import { busyNetwork, cast, Dice, Draw, play, RECIPES, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const { everybody, external, newcomer } = cast;

const TYPES = [
  'SelfTransfer',
  'CreateTransferCommand',
  'CreateOffer',
  'CreateWalletOffer',
  'ProposeMintingDelegation',
] as const;
const rolls = fc.array(fc.nat(0xf_ffff), { maxLength: 24 });

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('a prepared transaction takes effect at most once, for any commands in between (invariant 34)', () => {
    fc.assert(
      fc.property(sequences(10), fc.constantFrom(...TYPES), rolls, sequences(15), (earlier, type, dice, later) => {
        let ledger = play(busyNetwork(profile), earlier);
        const submission = signedOf(ledger, type, dice);
        if (!submission) return;
        const context = { now: ledger.state.time, actAs: [everybody[0]] };
        const first = ledger.submit(submission, context);
        let effects = first.ok ? 1 : 0;
        if (first.ok) ledger = first.value.ledger;
        for (const step of later) {
          const other = resolve(step, ledger.state);
          const done = ledger.submit(other.command, other.context);
          if (done.ok) ledger = done.value.ledger;
          const again = ledger.submit(submission, { ...context, now: ledger.state.time });
          if (again.ok) ledger = again.value.ledger;
          effects += again.ok ? 1 : 0;
        }
        expect(effects).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(25) },
    );
  });

  it('a transaction without a signature by the party’s own key has no effect (invariant 34)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), rolls, fc.nat(), (type, dice, where) => {
        const ledger = busyNetwork(profile);
        const submission = signedOf(ledger, type, dice);
        if (!submission) return;
        const context = { now: ledger.state.time, actAs: [...everybody] };
        const { signature, transaction } = submission;
        const other = signedOf(ledger, type, dice, 'another salt');
        const wrong: Command[] = [
          { ...submission, signature: flipped(signature, where) },
          { ...submission, signature: other?.signature ?? '' },
          { ...submission, publicKey: newcomer.publicKey },
          { ...submission, party: newcomer.party },
          { ...submission, transaction: transaction.slice(0, -4) },
        ];
        for (const command of wrong) expect(ledger.check(command, context)).not.toBeNull();
        const late = Instant.plus(ledger.state.time, Duration.days(2));
        expect(ledger.check(submission, { ...context, now: late })).not.toBeNull();
      }),
      { numRuns: runs(25) },
    );
  });
});

type Signed = Extract<Command, { readonly type: 'SubmitPrepared' }>;

/** A command of the external party, prepared and signed; null when it could not be prepared. */
function signedOf(
  ledger: Ledger,
  type: (typeof TYPES)[number],
  dice: readonly number[],
  salt: string = '',
): Signed | null {
  const { state } = ledger;
  const { party, publicKey, sign } = external;
  const { command } = RECIPES[type].draw(new Draw(state, state.time, new Dice(dice), party));
  const prepared = prepare({ party, command, now: state.time, salt }, state);
  if (!prepared.ok) return null;
  const { transaction, hash } = prepared.value;
  return { type: 'SubmitPrepared', party, transaction, publicKey, signature: sign(hash) };
}

function flipped(hex: string, where: number): string {
  const at = where % hex.length;
  const digit = (Number.parseInt(hex.charAt(at), 16) ^ 1).toString(16);
  return `${hex.slice(0, at)}${digit}${hex.slice(at + 1)}`;
}
