import { Amount, GENESIS_TIME, Instant, PartyId, allOf, holdingsOf, lockedHoldingsOf, openLedger } from '@coinlab/core';
import type { Command, LedgerState, ProfileName, Submission } from '@coinlab/core';
import { LAWS } from '@coinlab/core';
import { diagramOf, diagramText, explore } from '@coinlab/core/testing';
import { describe, expect, it } from 'vitest';

const dso = PartyId.of('DSO');
const alice = PartyId.of('alice');
const bob = PartyId.of('bob');
const deadline = Instant.plus(GENESIS_TIME, 60_000_000n as never);
const one = Amount.of('1');
const times = [GENESIS_TIME, deadline - 1n, deadline, deadline + 1n].map((micros) => Instant.ofMicros(micros));

/** Everything that can be tried around one offer and one preapproval, by everybody, at every time that is not past. */
function* moves(state: LedgerState): Generator<Submission> {
  const coins = [...holdingsOf(state, alice, 'oldest')].map(({ id }) => id);
  const locked = [...lockedHoldingsOf(state, alice)].map(({ id }) => id);
  const commands: Command[] = [];
  const instructions = [...allOf(state, 'TransferInstruction')];
  for (const { id: instruction } of instructions) {
    for (const type of ['AcceptOffer', 'RejectOffer', 'WithdrawOffer', 'ExpireOffer'] as const)
      commands.push({ type, instruction });
  }
  if (instructions.length === 0 && coins.length > 0) {
    commands.push({
      type: 'CreateOffer',
      sender: alice,
      receiver: bob,
      amount: one,
      inputs: coins,
      executeBefore: deadline,
    });
  }
  for (const holding of locked) {
    commands.push({ type: 'OwnerExpireLock', holding }, { type: 'Unlock', holding });
    commands.push({ type: 'SelfTransfer', sender: alice, amount: one, inputs: [...coins, holding] });
  }
  if (coins.length > 1) commands.push({ type: 'MergeHoldings', owner: alice, inputs: coins });
  if (coins.length > 0)
    commands.push({ type: 'DirectTransfer', sender: alice, receiver: bob, amount: one, inputs: coins });
  const preapproval = [...allOf(state, 'TransferPreapproval')][0];
  if (preapproval) {
    commands.push(
      { type: 'CancelPreapproval', preapproval: preapproval.id },
      { type: 'ExpirePreapproval', preapproval: preapproval.id },
    );
  } else {
    commands.push({ type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: deadline, inputs: [] });
  }
  for (const now of times) {
    if (now < state.time) continue;
    for (const command of commands) {
      for (const actAs of [[alice], [bob], [dso], [alice, dso], [bob, dso]]) yield { command, context: { now, actAs } };
    }
  }
}

function smallWorld(profile: ProfileName) {
  let ledger = openLedger({
    profile,
    config: { transferPreapprovalFeeUsd: Amount.zero },
    amuletPrice: Amount.of('10'),
  });
  for (const value of ['1', '2', '3']) {
    const tapped = ledger.submit(
      { type: 'Tap', receiver: alice, amount: Amount.of(value) },
      { now: GENESIS_TIME, actAs: [alice] },
    );
    if (tapped.ok) ledger = tapped.value.ledger;
  }
  return ledger;
}

describe('exploration of every reachable state', () => {
  it.each(['legacy-fees', 'feeless', 'feeless-24h'] as const)(
    'finds no broken law around one offer and one preapproval in %s',
    (profile) => {
      const offers = diagramOf('TransferInstruction', ({ lockedHolding }, state) =>
        [...lockedHoldingsOf(state, alice)].some(({ id }) => id === lockedHolding) ? 'Pending' : 'Pending without coin',
      );
      const seen = explore({ start: smallWorld(profile), moves, laws: LAWS, depth: 4, onStep: offers.watch });
      expect(seen.counterexample).toBeNull();
      expect(seen.states).toBeGreaterThan(50);
      const text = diagramText(offers.diagram());
      expect(text).toContain('Pending --TransferAccepted--> TransferAccepted');
      expect(text).toContain('Pending without coin --TransferWithdrawn--> TransferWithdrawn');
      expect(text).not.toContain('Pending without coin --TransferAccepted');
    },
  );

  it('finds a shortest path to a law that does not hold', () => {
    const seen = explore({
      start: smallWorld('feeless'),
      moves,
      laws: [
        {
          name: 'nobody is ever paid',
          invariant: 0,
          holds: ({ after }) => [...holdingsOf(after, bob, 'oldest')].length === 0,
        },
      ],
    });
    expect(seen.counterexample?.path.map(({ command }) => command.type)).toHaveLength(2);
    expect(seen.counterexample?.law.name).toBe('nobody is ever paid');
  });
});
