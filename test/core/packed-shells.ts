import {
  Amount,
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
  updateOf,
  type Command,
  type Context,
  type Entry,
  type Law,
  type LedgerState,
  type PartyId,
  type ProfileName,
  type RuleProfile,
  type Submitted,
  type Update,
} from '@coinlab/core';
import { fewOf, packMintTo, pay, walletOf } from '@coinlab/core/simulation';
import { expect } from 'vitest';
import { alice, bob, carol, dso, provider } from './ledger-fixture.ts';

/*
 * Most transfers are decided and applied as numbers. These shells show that the rules give the same result: an engine with a law packs
 * no transfer.
 */

const BY_THE_RULES: Law = { name: 'anything holds', invariant: 1, holds: () => true };
export const SEED = 7;
export const PARTIES = [alice, bob, carol] as const;

export interface World {
  readonly profile: ProfileName;
  readonly config: ProfileName;
  readonly rules?: Partial<RuleProfile>;
}

/** The same ledger in shells that must agree in everything: with packed transfers and a listener, with payments by number, and by the rules. */
export class Shells {
  readonly #logs = [openCompactLog(SEED), openCompactLog(SEED), openCompactLog(SEED)] as const;
  readonly #seen: Update[] = [];
  readonly #entries: Entry[] = [];
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
    this.#watched = openEngine({ ...options, log: watched, onEntry: (entry) => this.#seen.push(updateOf(entry)) });
    this.#quiet = openEngine({ ...options, log: quiet, onEntry: (entry) => this.#entries.push(entry) });
    this.#long = openEngine({ ...options, laws: [BY_THE_RULES], log: long });
  }

  get state(): LedgerState {
    return this.#long.state;
  }

  submit(command: Command, context: Context): boolean {
    return this.#agreesWith(command, context, () => this.#quiet.submit(command, context));
  }

  pay(sender: PartyId, receiver: PartyId, units: number, now: Instant): boolean {
    const amount = Amount.ofUnits(BigInt(units));
    const inputs = inputsCovering(this.state, sender, amount, 'smallest');
    return this.#agreesWith(
      { type: 'DirectTransfer', sender, receiver, amount, inputs },
      { now, actAs: [sender] },
      () => {
        const [from, to] = [walletOf(this.#quiet.state, sender), walletOf(this.#quiet.state, receiver)];
        return pay(this.#quiet, { from, to, units, now });
      },
    );
  }

  mint(receiver: PartyId, units: number, now: Instant): boolean {
    const command = { type: 'Mint', receiver, amount: Amount.ofUnits(BigInt(units)) } as const;
    const context = { now, actAs: [dso, receiver] };
    return this.#agreesWith(command, context, () => {
      const packed = packMintTo({ to: walletOf(this.#quiet.state, receiver), units, now }, this.#quiet.state);
      if (!packed) return this.#quiet.submit(command, context);
      this.#quiet.apply(packed);
      // Cast: only the update of the answer is compared.
      return { ok: true, value: { update: updateOf(packed) } } as Submitted;
    });
  }

  #agreesWith(command: Command, context: Context, quietly: () => Submitted): boolean {
    const wanted = this.#long.submit(command, context);
    for (const answer of [this.#watched.submit(command, context), quietly()])
      expect(told(answer)).toEqual(told(wanted));
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
    // Converted now, long after later transfers: no entry was overwritten.
    expect(this.#entries.map(updateOf)).toEqual(this.#seen);
    for (const replayed of [new Engine(), new Engine({ onEntry: updateOf })]) {
      expect(replayed.replay(long as Buffer)).toBeNull();
      expect(replayed.state.offset).toBe(this.state.offset);
      expect(replayed.hash()).toBe(this.#long.hash());
    }
  }
}

function told(answer: Submitted): unknown {
  return answer.ok ? answer.value.update : answer.error;
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
