import {
  Amount,
  brokenLaws,
  codec,
  Engine,
  GENESIS_TIME,
  holdingsOf,
  Instant,
  LAWS,
  openLedger,
  PartyId,
  type Command,
  type Contract,
  type ContractId,
  type Holding,
  type Ledger,
  type LedgerOptions,
  type LedgerState,
  type Rejected,
  type RejectionCode,
  type Round,
  type Update,
  type UpdateKind,
  type UpdateOf,
} from '@coinlab/core';
import { findAny, lockedHoldingsOf, openRoundsOf } from '@coinlab/core/views';
import { undeclaredOutcome } from '@coinlab/core/workflows';
import { expect } from 'vitest';

/*
 * A small world for tests: a ledger with its rounds, a clock that the test moves, and parties that act.
 *
 *   const world = worldOf({ profile: 'legacy-fees', amuletPrice: Amount.of('0.15') });
 *   const coin = world.fund(alice, '100');                       // minted; its id
 *   world.wait(30);                                              // seconds; or world.at('2026-01-01T00:05:00Z')
 *   const offered = world.accepted('TransferOffered', { type: 'CreateOffer', … }, alice);   // acts as alice; typed update
 *   world.submit(command, dso, alice);                           // any kind of update, acts as both
 *   world.refused('INSUFFICIENT_FUNDS', command, alice).missing; // the rejection, typed by its code
 *   expect(world.coinsOf(bob)).toEqual(['5.0']);                 // unlocked, oldest first
 *
 * Every command goes to an immutable Ledger and to an Engine, and both must answer alike. The command must declare its outcome,
 * and every update must keep the laws and survive the codec.
 */

export const dso = PartyId.of('DSO');
export const alice = PartyId.of('alice');
export const bob = PartyId.of('bob');
export const carol = PartyId.of('carol');
export const provider = PartyId.of('provider');

/** A contract before it has an id: what {@link World.put} takes. */
export type Unplaced<C extends Contract = Contract> = C extends Contract ? Omit<C, 'id'> : never;

/** A ledger that has just been opened: three open rounds, 2026-01-01T00:00:00Z, profile `feeless` unless told otherwise. */
export function worldOf(options: LedgerOptions = {}): World {
  return new World(openLedger(options), options);
}

/** Amount literal: `amount('1.5')`. */
export const amount = Amount.of;

/** The instant a number of seconds after the genesis of every world. */
export function second(seconds: number): Instant {
  return Instant.ofMicros(GENESIS_TIME + BigInt(Math.round(seconds * 1_000_000)));
}

/** One microsecond later, or earlier with -1. */
export function tickOf(instant: Instant, micros: 1 | -1): Instant {
  return Instant.ofMicros(instant + BigInt(micros));
}

export class World {
  ledger: Ledger;
  now: Instant;
  readonly #options: LedgerOptions;
  readonly #engine: Engine;

  constructor(ledger: Ledger, options: LedgerOptions) {
    this.ledger = ledger;
    this.now = ledger.state.time;
    this.#options = options;
    // An engine with a law goes the long way with every command: the ledger beside it decides plain transfers in numbers.
    this.#engine = new Engine({ laws: [{ name: 'anything holds', invariant: 1, holds: () => true }] });
    for (const update of ledger.updates()) this.#engine.apply(update);
  }

  get state(): LedgerState {
    return this.ledger.state;
  }

  /** Moves the clock to a time, given as an Instant or as text. */
  at(time: Instant | string): this {
    this.now = typeof time === 'string' ? Instant.of(time) : time;
    return this;
  }

  wait(seconds: number): this {
    return this.at(Instant.ofMicros(this.now + BigInt(Math.round(seconds * 1_000_000))));
  }

  fork(): World {
    return new World(this.ledger, this.#options).at(this.now);
  }

  /** Submits a command that must be accepted. */
  submit(command: Command, ...actAs: readonly PartyId[]): Update {
    const context = { now: this.now, actAs };
    const result = this.ledger.submit(command, context);
    expect(result, `${command.type} is accepted`).toMatchObject({ ok: true });
    if (!result.ok) throw new Error('unreachable: expected acceptance above');
    expect(undeclaredOutcome(command.type, result), `${command.type} declares the kind of its update`).toBeNull();
    const { ledger, update } = result.value;
    const broken = brokenLaws(LAWS, { before: this.state, update, after: ledger.state });
    expect(broken, `${update.kind} keeps the laws`).toEqual([]);
    const inPlace = this.#engine.submit(command, context);
    expect(inPlace.ok ? inPlace.value.entry : inPlace.error).toEqual(update);
    expect(codec.decode(codec.encode(update), 1)).toEqual({ ok: true, value: update });
    this.ledger = ledger;
    return update;
  }

  /** Submits a command that must be accepted as an update of the given kind. */
  accepted<Kind extends UpdateKind>(kind: Kind, command: Command, ...actAs: readonly PartyId[]): UpdateOf<Kind> {
    const update = this.submit(command, ...actAs);
    expect(update.kind).toBe(kind);
    return update as UpdateOf<Kind>;
  }

  /** Submits a command that must be refused with the given code. */
  refused<Code extends RejectionCode>(code: Code, command: Command, ...actAs: readonly PartyId[]): Rejected<Code> {
    const context = { now: this.now, actAs };
    const result = this.ledger.submit(command, context);
    expect(result, `${command.type} is refused`).toMatchObject({ ok: false, error: { code } });
    if (result.ok) throw new Error('unreachable: expected refusal above');
    expect(undeclaredOutcome(command.type, result), `${command.type} declares its refusals`).toBeNull();
    expect(this.#engine.submit(command, context)).toEqual(result);
    expect(this.#engine.state.offset).toBe(this.state.offset);
    return result.error as Rejected<Code>;
  }

  /** Mints a coin for a party; its id. */
  fund(party: PartyId, value: string): ContractId {
    return this.accepted('Minted', { type: 'Mint', receiver: party, amount: Amount.of(value) }, dso, party).detail
      .holding;
  }

  /** Mints several coins for a party; their ids. */
  fundEach(party: PartyId, values: readonly string[]): readonly ContractId[] {
    return values.map((value) => this.fund(party, value));
  }

  /** Puts a contract on the ledger by a hand-made update, past all workflows: for what this test needs but is not about. */
  put(contract: Unplaced): ContractId {
    const id = this.state.nextContract as ContractId;
    this.#apply({ created: [{ id, ...contract } as Contract], archived: [] });
    return id;
  }

  /** Takes a contract off the ledger by a hand-made update, past all workflows. */
  take(id: ContractId): void {
    this.#apply({ created: [], archived: [id] });
  }

  /** Advances the open rounds several times, each at the earliest time. Returns the newest open round. */
  advanceRounds(count: number = 1, price?: string): Round {
    for (let i = 0; i < count; i++) {
      const [oldest, middle, newest] = this.#rounds();
      const times = [oldest.targetClosesAt, middle.opensAt + middle.tickDuration, newest.opensAt, this.now];
      this.now = times.reduce((a, b) => (a > b ? a : b)) as Instant;
      this.submit(
        { type: 'AdvanceOpenRounds', amuletPrice: price === undefined ? newest.amuletPrice : Amount.of(price) },
        dso,
      );
    }
    return this.#rounds()[2].round;
  }

  /** Unlocked coins of a party, oldest first. */
  holdings(party: PartyId): readonly Holding[] {
    return [...holdingsOf(this.state, party, 'oldest')];
  }

  /** Locked coins of a party, oldest first. */
  locked(party: PartyId): readonly Holding[] {
    return [...lockedHoldingsOf(this.state, party)];
  }

  /** Amounts of the unlocked coins of a party as short texts, oldest first. */
  coinsOf(party: PartyId): readonly string[] {
    return this.holdings(party).map((holding) => Amount.short(holding.amount));
  }

  /** Amounts of the locked coins of a party as short texts, oldest first. */
  lockedCoinsOf(party: PartyId): readonly string[] {
    return this.locked(party).map((holding) => Amount.short(holding.amount));
  }

  #rounds() {
    const [oldest, middle, newest] = openRoundsOf(this.state);
    if (!oldest || !middle || !newest) throw new Error('a world has three open rounds');
    return [oldest, middle, newest] as const;
  }

  #apply({ created, archived }: Pick<Update, 'created' | 'archived'>): void {
    const coins = (contracts: readonly Contract[]): Amount =>
      Amount.sum(contracts.flatMap((contract) => (contract.template === 'Holding' ? [contract.amount] : [])));
    const gone = archived.map((id) => findAny(this.state, id)).filter((contract) => contract !== null);
    const update: Update = {
      offset: (this.state.offset + 1) as Update['offset'],
      updateId: '01KDT00000000000000000HAND' as Update['updateId'],
      recordTime: this.now > this.state.time ? this.now : this.state.time,
      kind: 'PartyAllocated',
      actAs: [dso],
      archived,
      created,
      detail: { minted: coins(created), burned: coins(gone), party: dso },
    };
    this.ledger = this.ledger.apply(update);
    this.#engine.apply(update);
  }
}
