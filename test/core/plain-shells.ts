import {
  Amount,
  type ContractId,
  Duration,
  countOf,
  Engine,
  GENESIS_TIME,
  genesisConfig,
  inputsCovering,
  Instant,
  openCompactLog,
  openEngine,
  readCompactLog,
  type Command,
  type Context,
  type Law,
  type LedgerState,
  type PartyId,
  type ProfileName,
  type Rejection,
  type RuleProfile,
  type Update,
} from '@coinlab/core';
import { fewOf, walletOf } from '@coinlab/core/views';
import { receiverOf, senderOf, type PlainTransfer } from '@coinlab/core/codec';
import { expect } from 'vitest';
import { alice, bob, carol, dso, provider } from './ledger-fixture.ts';

/*
 * Most transfers are decided and applied in numbers. That this is the same as what the rules say is shown by doing both: an engine with a
 * law goes the long way with every command.
 */

const THE_LONG_WAY: Law = { name: 'anything holds', invariant: 1, holds: () => true };
export const SEED = 7;
export const PARTIES = [alice, bob, carol] as const;

export interface World {
  readonly profile: ProfileName;
  /** Whose numbers. */
  readonly config: ProfileName;
  readonly rules?: Partial<RuleProfile>;
}

/** The same ledger in shells that must agree in everything: in numbers and watched, in numbers without updates, and the long way. */
export class Shells {
  readonly #logs = [openCompactLog(SEED), openCompactLog(SEED), openCompactLog(SEED)] as const;
  readonly #seen: Update[] = [];
  /** What the quiet one says: numbers in place of the updates of plain transfers. */
  readonly #told: (Update | { readonly plain: PlainTransfer; readonly firstCoin: ContractId })[] = [];
  readonly #watched: Engine;
  readonly #quiet: Engine;
  readonly #long: Engine;

  constructor({ profile, config, rules = {} }: World) {
    const [watched, quiet, long] = this.#logs;
    const options = {
      profile,
      rules,
      seed: SEED,
      config: { ...genesisConfig(config), transferPreapprovalFeeUsd: Amount.zero },
    };
    this.#watched = openEngine({ ...options, log: watched, onUpdate: (update) => this.#seen.push(update) });
    this.#quiet = openEngine({
      ...options,
      log: quiet,
      onUpdate: (update) => this.#told.push(update),
      onPlain: (plain, firstCoin) => this.#told.push({ plain: { ...plain, inputs: [...plain.inputs] }, firstCoin }),
    });
    this.#long = openEngine({ ...options, laws: [THE_LONG_WAY], log: long });
  }

  get state(): LedgerState {
    return this.#long.state;
  }

  submit(command: Command, context: Context): boolean {
    return this.#agreesWith(command, context, () => this.#quiet.execute(command, context));
  }

  /** A payment, which the quiet one is told in numbers. */
  pay(sender: PartyId, receiver: PartyId, units: number, now: Instant): boolean {
    const amount = Amount.ofUnits(BigInt(units));
    const inputs = inputsCovering(this.state, sender, amount, 'smallest');
    return this.#agreesWith(
      { type: 'DirectTransfer', sender, receiver, amount, inputs },
      { now, actAs: [sender] },
      () => {
        const [from, to] = [walletOf(this.#quiet.state, sender), walletOf(this.#quiet.state, receiver)];
        // What is not plain has left everything as it was.
        return this.#quiet.payPlainly(from, to, units, now) ? null : this.#quiet.pay(from, to, units, now);
      },
    );
  }

  #agreesWith(command: Command, context: Context, quietly: () => Rejection | null): boolean {
    const wanted = this.#long.submit(command, context);
    expect(this.#watched.submit(command, context)).toEqual(wanted);
    expect(quietly()).toEqual(wanted.ok ? null : wanted.error);
    return wanted.ok;
  }

  agree(): void {
    expect(this.#watched.hash()).toBe(this.#long.hash());
    expect(this.#quiet.hash()).toBe(this.#long.hash());
    for (const party of PARTIES)
      expect([-1, countOf(this.state, party)]).toContain(fewOf(this.state, walletOf(this.state, party)));
    const [watched, quiet, long] = this.#logs.map((log) => Buffer.from(log.whole()));
    expect(watched?.equals(long as Buffer)).toBe(true);
    expect(quiet?.equals(long as Buffer)).toBe(true);
    const read = [...readCompactLog(long as Buffer)].map((next) => (next.ok ? next.value : next.error));
    expect(read).toEqual(this.#seen);
    expect(this.#told.length).toBe(this.#seen.length);
    this.#told.forEach((told, i) => {
      const update = this.#seen[i] as Update;
      if (!('plain' in told)) return expect(told).toEqual(update);
      const { kind, now, inputs, paid, change } = told.plain;
      const [sender, receiver] = [senderOf(told.plain), receiverOf(told.plain)];
      const coins = [paid > 0 ? [receiver, paid] : [], change > 0 ? [sender, change] : []].filter(
        ({ length }) => length,
      );
      expect({ kind, now, actAs: [sender], inputs }).toEqual({
        kind: update.kind,
        now: update.recordTime,
        actAs: update.actAs,
        inputs: update.archived,
      });
      expect(coins.map(([owner, units], j) => [told.firstCoin + j, owner, BigInt(units as number)])).toEqual(
        update.created.map((coin) => coin.template === 'Holding' && [coin.id, coin.owner, coin.amount]),
      );
    });
    for (const replayed of [new Engine(), new Engine({ onUpdate: () => undefined })]) {
      expect(replayed.replay(long as Buffer)).toBeNull();
      expect(replayed.state.offset).toBe(this.state.offset);
      expect(replayed.hash()).toBe(this.#long.hash());
    }
  }
}

/** Parties that have consented to be paid, each with five coins. */
export function founded(world: World): Shells {
  const shells = new Shells(world);
  for (const [i, receiver] of PARTIES.entries()) {
    const by = i === 0 ? provider : dso;
    shells.submit(
      {
        type: 'CreatePreapproval',
        receiver,
        provider: by,
        expiresAt: Instant.plus(GENESIS_TIME, i === 2 ? Duration.minutes(20) : Duration.days(30)),
        inputs: [],
      },
      { now: GENESIS_TIME, actAs: [receiver, by] },
    );
    for (const value of ['10', '0.5', '0.5', '7.0000000001', '3'])
      shells.submit({ type: 'Tap', receiver, amount: Amount.of(value) }, { now: GENESIS_TIME, actAs: [receiver] });
  }
  return shells;
}
