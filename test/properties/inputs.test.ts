import {
  Amount,
  find,
  Instant,
  openLedger,
  PartyId,
  PROFILE_NAMES,
  type Command,
  type ContractId,
  type Ledger,
  type ProfileName,
  type Submission,
} from '@coinlab/core';
import { busyNetwork, cast, drawn, play, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';

const { dso } = cast;

const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const feeless = PROFILE_NAMES.filter((profile) => profile !== 'legacy-fees');

describe.each(PROFILE_NAMES)('under the rules of %s', (profile) => {
  it('no command that names an input twice is accepted (invariant 12)', () => {
    fc.assert(
      fc.property(sequences(10), fc.array(drawn, { maxLength: 20 }), (steps, tried) => {
        const ledger = play(busyNetwork(profile), steps);
        for (const one of tried) {
          const { command, context } = resolve(one, ledger.state);
          const inputs = inputsOf(command);
          if (!inputs?.[0] || mayTouchNoInput(command)) continue;
          const twice = { ...command, inputs: [...inputs, inputs[0]] } as Command;
          expect(ledger.check(twice, context)).not.toBeNull();
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('100 inputs are accepted and 101 refused, for any amounts (invariant 20)', () => {
    const worths = fc.array(fc.bigInt(100_000n, 10n ** 14n), { minLength: 103, maxLength: 103 });
    fc.assert(
      fc.property(
        worths,
        fc.integer({ min: 98, max: 103 }),
        fc.boolean(),
        fc.constantFrom('SelfTransfer', 'CreateOffer', 'MergeHoldings'),
        (amounts, count, asksTooMuch, type) => {
          const { ledger, coins } = withCoins(profile, amounts.slice(0, count));
          const worth = Amount.sum(amounts.slice(0, count) as unknown as Amount[]);
          const amount = asksTooMuch ? Amount.add(worth, Amount.one) : Amount.ofUnits(worth / 2n);
          const common = { sender: alice, amount, inputs: coins };
          const command: Command =
            type === 'MergeHoldings'
              ? { type, owner: alice, inputs: coins }
              : type === 'SelfTransfer'
                ? { type, ...common }
                : {
                    type,
                    ...common,
                    receiver: bob,
                    executeBefore: Instant.plus(ledger.state.time, 60_000_000n as never),
                  };
          const refused = ledger.check(command, { now: ledger.state.time, actAs: [alice] });
          if (count > 100) expect(refused).toEqual({ code: 'MAX_INPUTS_EXCEEDED', inputs: count, limit: 100 });
          else if (type !== 'MergeHoldings' && asksTooMuch) expect(refused?.code).toBe('INSUFFICIENT_FUNDS');
          else expect(refused).toBeNull();
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe.each(feeless)('under the rules of %s', (profile) => {
  it('an additional coin of the missing amount makes the same command succeed (invariant 21)', () => {
    let tried = 0;
    fc.assert(
      fc.property(sequences(10), fc.array(drawn, { maxLength: 30 }), (steps, attempts) => {
        const ledger = play(busyNetwork(profile), steps);
        for (const one of attempts) {
          const submission = resolve(one, ledger.state);
          const refused = ledger.check(submission.command, submission.context);
          if (refused?.code !== 'INSUFFICIENT_FUNDS') continue;
          expect(refused.missing).toBeGreaterThan(0n);
          const inputs = inputsOf(submission.command);
          const payer = inputs?.[0] && find(ledger.state, 'Holding', inputs[0])?.owner;
          // A pool has no inputs, a party with a key of its own cannot be given coin without it, and a Decimal has its end.
          if (!inputs || !payer || inputs.length >= 100 || !submission.context.actAs.includes(payer)) continue;
          if (refused.missing > 10n ** 30n) continue;
          // What one operation of a batch lacks says nothing about the next.
          const { command } = submission;
          if (command.type === 'ExecuteBatch' && command.operations.length > 1) continue;
          tried += 1;
          expect(withMore(ledger, submission, payer, refused.missing)).toBeNull();
        }
      }),
      { numRuns: runs(225) },
    );
    expect(tried).toBeGreaterThan(runs(150) / 10);
  });
});

/** The code that refuses the command with an additional coin as an input. */
function withMore(ledger: Ledger, { command, context }: Submission, payer: PartyId, missing: Amount): unknown {
  const { now } = context;
  const minted = ledger.submit({ type: 'Mint', receiver: payer, amount: missing }, { now, actAs: [dso, payer] });
  if (!minted.ok) throw new Error(`a coin can be minted: ${minted.error.code}`);
  const { ledger: richer, update } = minted.value;
  const added = update.created[0]?.id as ContractId;
  const more = { ...command, inputs: [...(inputsOf(command) ?? []), added] } as Command;
  return richer.check(more, context);
}

function withCoins(
  profile: ProfileName,
  amounts: readonly bigint[],
): { readonly ledger: Ledger; readonly coins: readonly ContractId[] } {
  let ledger = openLedger({ profile });
  const coins: ContractId[] = [];
  const context = { now: ledger.state.time, actAs: [dso, alice] };
  for (const amount of amounts) {
    const minted = ledger.submit({ type: 'Mint', receiver: alice, amount: Amount.ofUnits(amount) }, context);
    if (!minted.ok) throw new Error(`a coin can be minted: ${minted.error.code}`);
    ledger = minted.value.ledger;
    coins.push(minted.value.update.created[0]?.id as ContractId);
  }
  return { ledger, coins };
}

function inputsOf(command: Command): readonly ContractId[] | null {
  return 'inputs' in command ? command.inputs : null;
}

/** Commands that may leave their inputs alone, so that it does not matter what is named: nothing to pay, or a nonce that is spent. */
function mayTouchNoInput({ type }: Command): boolean {
  return type.includes('Preapproval') || type.includes('SetupProposal') || type === 'SendTransferCommand';
}
