import {
  Amount,
  balanceOf,
  codec,
  contractsOf,
  Duration,
  Engine,
  Instant,
  ledgerFrom,
  holdingsOf,
  PROFILE_NAMES,
  updateOf,
  type Command,
  type Context,
  type Entry,
  type Ledger,
  type PartyId,
} from '@coinlab/core';
import { allOf, openRoundsOf, scanContracts } from '@coinlab/core/views';
import { busyNetwork, cast, resolve, sequences } from '@coinlab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../chance.ts';
import { alice, amount, bob, carol, dso, worldOf } from '../core/ledger-fixture.ts';

const parties: readonly PartyId[] = [...cast.people, ...cast.founders, cast.provider, cast.hoarder];

/** Overwrites every field of a value, and whatever it holds, wherever that is not refused. */
function vandalise(value: unknown, seen: Set<object> = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  for (const inner of Object.values(value)) vandalise(inner, seen);
  for (const [field, inner] of Object.entries(value))
    Reflect.set(
      value,
      field,
      typeof inner === 'bigint' ? inner + 1n : typeof inner === 'number' ? inner + 1 : 'changed',
    );
  if (Array.isArray(value)) Reflect.set(value, value.length, 'added');
  else Reflect.set(value, 'added', 'a field');
}

/** An update that keeps a list of its command freezes it when it is handed out. */
function hasFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.isFrozen(value) || Object.values(value).some(hasFrozen);
}

function vandaliseState(state: Ledger['state']): void {
  for (const contract of scanContracts(state)) vandalise(contract);
  vandalise(openRoundsOf(state));
  vandalise(allOf(state, 'TransferPreapproval'));
  for (const party of parties) {
    vandalise(contractsOf(state, 'TransferInstruction', party));
    for (const order of ['largest', 'smallest', 'oldest', 'newest'] as const)
      vandalise(holdingsOf(state, party, order));
  }
}

/** A command with arguments of its own, which the caller may change. */
const copyOf = (command: Command): Command => structuredClone(command);

describe('a caller that changes returned or passed values', () => {
  it('cannot redirect a preapproval through the update that created it', () => {
    const world = worldOf({ config: { transferPreapprovalFeeUsd: Amount.zero } });
    const created = ledgerFrom(world.state).submit(
      { type: 'CreatePreapproval', receiver: bob, provider: dso, expiresAt: Instant.latest, inputs: [] },
      { now: world.now, actAs: [bob, dso] },
    );
    if (!created.ok) return expect.unreachable();
    const { ledger, update } = created.value;
    const hash = ledger.hash();
    const preapproval = update.created.find(({ template }) => template === 'TransferPreapproval');
    expect(Reflect.set(preapproval ?? {}, 'receiver', carol)).toBe(false);
    expect([...allOf(ledger.state, 'TransferPreapproval')].map(({ receiver }) => receiver)).toEqual([bob]);
    expect(ledger.hash()).toBe(hash);
  });

  it('cannot change an offer through the metadata of its command', () => {
    const world = worldOf();
    world.fund(alice, '10');
    const meta: Record<string, string> = { reason: 'rent' };
    const inputs = [...holdingsOf(world.state, alice, 'oldest')].map(({ id }) => id);
    const executeBefore = Instant.plus(world.now, Duration.hours(1));
    const offer: Command = {
      type: 'CreateOffer',
      sender: alice,
      receiver: bob,
      amount: amount('5'),
      executeBefore,
      inputs,
      meta,
    };
    const at = { now: world.now, actAs: [alice] };
    const engine = new Engine({}, world.state);
    expect(engine.submit(offer, at).ok).toBe(true);
    const result = ledgerFrom(world.state).submit(offer, at);
    if (!result.ok) return expect.unreachable(result.error.code);
    for (const after of [result.value.ledger, engine]) {
      const hash = after.hash();
      meta['reason'] = 'a gift';
      expect(after.hash()).toBe(hash);
      meta['reason'] = 'rent';
    }
  });

  it.each(PROFILE_NAMES)('changes no hash, replay or balance: %s', (profile) => {
    const start = busyNetwork(profile);
    fc.assert(
      fc.property(sequences(25), (steps) => {
        let ledger: Ledger = ledgerFrom(start.state);
        let control: Ledger = ledgerFrom(start.state);
        const engine = new Engine({ onEntry: (entry: Entry) => vandalise(updateOf(entry)) }, start.state);
        for (const drawn of steps) {
          const { command, context } = resolve(drawn, control.state);
          const theirs: { command: Command; context: Context } = {
            command: copyOf(command),
            context: structuredClone(context),
          };
          const expected = control.submit(command, context);
          const result = ledger.submit(theirs.command, theirs.context);
          engine.submit(theirs.command, theirs.context);
          expect(result.ok).toBe(expected.ok);
          if (!expected.ok || !result.ok) continue;
          control = expected.value.ledger;
          ledger = result.value.ledger;
          vandalise(result.value.update);
          expect(hasFrozen(theirs)).toBe(false);
          vandalise(theirs);
          vandalise(ledger.updates());
          vandaliseState(ledger.state);
          vandaliseState(engine.state);
        }
        expect(ledger.updates().map(codec.encode)).toEqual(control.updates().map(codec.encode));
        const replayed = ledger.updates().reduce((next: Ledger, update) => next.apply(update), ledgerFrom(start.state));
        expect(replayed.hash()).toBe(control.hash());
        expect(ledger.hash()).toBe(control.hash());
        expect(engine.hash()).toBe(control.hash());
        expect(parties.map((party) => balanceOf(ledger.state, party))).toEqual(
          parties.map((party) => balanceOf(control.state, party)),
        );
      }),
      { numRuns: runs(15) },
    );
  });
});
