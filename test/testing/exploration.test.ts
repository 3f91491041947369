import {
  Amount,
  GENESIS_TIME,
  holdingsOf,
  Instant,
  LAWS,
  PartyId,
  PROFILE_NAMES,
  stateHash,
  type Command,
  type Ledger,
} from '@coinlab/core';
import { lockedHoldingsOf } from '@coinlab/core/views';
import {
  createTestLedger,
  diagramOf,
  diagramMermaid,
  explore,
  SMALL_WORLD,
  StateKeys,
  walk,
  type SmallWorld,
} from '@coinlab/testing';
import { describe, expect, it } from 'vitest';

const dso = PartyId.of('DSO');
const alice = PartyId.of('alice');
const bob = PartyId.of('bob');

describe('a small world', () => {
  it.each(PROFILE_NAMES)(
    'with two parties, three coins, an offer and a preapproval satisfies all ledger laws in the profile %s',
    (profile) => {
      const offers = diagramOf('An offer', ['TransferInstruction'], ({ transfer, lockedHolding }, state) => {
        const locked = [...lockedHoldingsOf(state, transfer.sender)];
        return locked.some(({ id }) => id === lockedHolding) ? 'Pending' : 'Pending without coin';
      });
      const options = { ...SMALL_WORLD.options, profile };
      const seen = explore({ ...SMALL_WORLD, options, depth: 2, onStep: offers.watch });
      expect(seen).toMatchObject({ counterexample: null, depth: 2, complete: false });
      expect(seen.states).toBeGreaterThan(300);
      expect(seen.transitions).toBeGreaterThan(seen.states);
      expect(seen.refusals).toBeGreaterThan(0);
      const text = diagramMermaid(offers.diagram());
      expect(text).toContain('  Pending --> [*]: TransferAccepted [before the deadline]\n');
      expect(text).toContain('  Pending --> [*]: TransferWithdrawn\n');
      expect(text).toContain('  Pending --> Pending_without_coin: LockExpired [from the deadline on]\n');
    },
  );

  it('is explored completely if its states are within the limit, otherwise up to the limit', () => {
    const commands = ['CreateOffer', 'AcceptOffer', 'WithdrawOffer'] as const;
    const tiny: SmallWorld = { parties: [alice, bob], amounts: [Amount.one], commands };
    const two = explore({ ...tiny, amounts: [Amount.one, Amount.one], most: { TransferInstruction: 1 } });
    const three = explore({ ...tiny, amounts: [Amount.one, Amount.one] });
    expect(explore(tiny)).toMatchObject({ complete: true, counterexample: null });
    expect(two).toMatchObject({ complete: true, counterexample: null });
    expect(three.states).toBeGreaterThan(two.states);
    expect(explore({ ...tiny, mostStates: 3 })).toMatchObject({ complete: false, states: 3 });
  });

  it('tries the given choices for fields without a finite set of values', () => {
    const world: SmallWorld = {
      parties: [alice],
      amounts: [Amount.ofWhole(10_000)],
      commands: ['BuyMemberTraffic'],
      choices: { memberId: ['PAR::one::1220'], trafficBytes: [200_000] },
      depth: 1,
    };
    expect(explore(world).transitions).toBeGreaterThan(0);
    expect(explore({ ...world, choices: {} }).transitions).toBe(0);
  });

  it('returns the shortest path to a broken law', () => {
    const paid = { name: 'bob is never paid', invariant: 0, holds: bobHasNothing };
    const seen = explore({ ...SMALL_WORLD, laws: [paid] });
    expect(seen.counterexample?.law).toBe(paid);
    expect(seen.counterexample?.path).toHaveLength(2);
    expect(seen.complete).toBe(false);
    // No single step pays the party, so no shorter path exists.
    expect(explore({ ...SMALL_WORLD, laws: [paid], depth: 1 }).counterexample).toBeNull();
  });

  it('finds, in two steps, a ledger that lets any party accept an offer', () => {
    const start = careless(createTestLedger({ funds: '3', preapproved: false, laws: [] }).ledger);
    const seen = explore({ ...SMALL_WORLD, start });
    expect(seen.counterexample?.path.map(({ command }) => command.type)).toEqual(['CreateOffer', 'AcceptOffer']);
    expect(seen.counterexample?.law.invariant).toBe(31);
    expect(seen.counterexample?.update.kind).toBe('TransferAccepted');
  });
});

function bobHasNothing({ after }: { readonly after: Ledger['state'] }): boolean {
  return [...holdingsOf(after, bob, 'oldest')].length === 0;
}

/** A ledger that does not check the accepting party. */
function careless(ledger: Ledger): Ledger {
  return {
    ...ledger,
    check: (command, context) => (careless(ledger).submit(command, context).ok ? null : ledger.check(command, context)),
    submit(command, { now, actAs }) {
      const anybody = command.type === 'AcceptOffer' ? [alice, bob, dso] : actAs;
      const result = ledger.submit(command, { now, actAs: anybody });
      if (!result.ok) return result;
      const update = { ...result.value.update, actAs };
      return { ok: true, value: { ledger: careless(ledger.apply(update)), update, entry: update } };
    },
  };
}

describe('an exploration', () => {
  const tap: Command = { type: 'Tap', receiver: alice, amount: Amount.one };

  it('tries the given moves, and does not continue from states outside its world', () => {
    const start = createTestLedger({ funds: '0', preapproved: false }).ledger;
    const tapping = () => [{ command: tap, context: { now: GENESIS_TIME, actAs: [alice] } }];
    const coins = (state: Ledger['state']): number => [...holdingsOf(state, alice, 'oldest')].length;
    const seen = walk({ start, moves: tapping, laws: LAWS, inside: (state) => coins(state) <= 3 });
    expect(seen).toMatchObject({ states: 4, transitions: 4, refusals: 0, depth: 3, complete: true });
  });
});

describe('the key of an explored state', () => {
  it('is equal exactly when the state hashes are equal', () => {
    const keys = new StateKeys();
    const hashes = new Map<string, string>();
    const states = new Set<string>();
    const look = ({ after }: { readonly after: Ledger['state'] }): void => {
      const [key, hash] = [keys.keyOf(after), stateHash(after)];
      expect(hashes.get(key) ?? hash).toBe(hash);
      hashes.set(key, hash);
      states.add(hash);
    };
    explore({ ...SMALL_WORLD, laws: [], depth: 1, onStep: look });
    // The second world differs only in its start time.
    const later = { ...SMALL_WORLD, options: { ...SMALL_WORLD.options, at: Instant.of('2026-01-02T00:00:00Z') } };
    explore({ ...later, laws: [], depth: 1, onStep: look });
    expect(states.size).toBe(hashes.size);
    expect(states.size).toBeGreaterThan(50);
  });
});
