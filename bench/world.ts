import { createHash } from 'node:crypto';
import {
  Amount,
  GENESIS_TIME,
  Instant,
  PartyId,
  genesisConfig,
  inputsCovering,
  type Command,
  type ContractId,
  type Context,
  type LedgerState,
  type OpenOptions,
  type Result,
} from '@coinlab/core';
import { firstByKey } from '@coinlab/core/views';
import type { Sha256 } from '@coinlab/core/codec';
import { Bound } from './bound.js';

const COINS_PER_PARTY = 8;
const DSO = PartyId.of('DSO');

/** One transfer of the workload, in units of 10⁻¹⁰. */
export interface Payment {
  readonly sender: number;
  readonly receiver: number;
  readonly units: number;
}

export interface Payments {
  readonly sender: Int32Array;
  readonly receiver: Int32Array;
  readonly units: Float64Array;
}

export function paymentAt({ sender, receiver, units }: Payments, i: number): Payment {
  return { sender: sender[i] as number, receiver: receiver[i] as number, units: units[i] as number };
}

/** The generated network, for the bound and for the engine. Parties, coins and payments follow from the seed. */
export class World {
  readonly coins: number;
  readonly parties: readonly PartyId[];
  readonly options: OpenOptions = { config: { ...genesisConfig('feeless'), transferPreapprovalFeeUsd: Amount.zero } };
  #word: number;
  #model: Bound | null = null;

  constructor(coins: number, seed: number = 1) {
    this.coins = coins;
    this.parties = Array.from({ length: Math.ceil(coins / COINS_PER_PARTY) }, (_, i) => flatParty(`party-${i}`));
    this.#word = seed;
  }

  #draw(below: number): number {
    this.#word = (Math.imul(this.#word, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#word / 2 ** 32) * below);
  }

  /** Returns the amount of an initial coin in units: 1 to 3 coins; adjacent ones differ. */
  openingUnits(i: number): number {
    return 10_000_000_000 + ((i * 7_919) % 1_000_003) * 20_000;
  }

  /**
   * Returns the next payment: a quarter to four coins between two different parties, from the one with more
   * UTXOs to the other. Parties therefore keep 5 to 10 UTXOs. Payments of the few parties that have too
   * little coin are skipped.
   */
  payment(): Payment {
    this.#model ??= this.bound();
    for (;;) {
      const one = this.#draw(this.parties.length);
      const other = (one + 1 + this.#draw(this.parties.length - 1)) % this.parties.length;
      const hasMore = this.#model.countOf(one) >= this.#model.countOf(other);
      const [sender, receiver] = hasMore ? [one, other] : [other, one];
      const units = 2_500_000_000 + this.#draw(1_000_003) * 37_000;
      if (this.#model.transfer(sender, receiver, Math.floor(units / 1e10), units % 1e10))
        return { sender, receiver, units };
    }
  }

  /**
   * Returns the next payments in columns. They are generated before the measurement, and columns avoid
   * objects that the garbage collector would copy during it.
   */
  payments(count: number): Payments {
    const payments = { sender: new Int32Array(count), receiver: new Int32Array(count), units: new Float64Array(count) };
    for (let i = 0; i < count; i++) {
      const { sender, receiver, units } = this.payment();
      payments.sender[i] = sender;
      payments.receiver[i] = receiver;
      payments.units[i] = units;
    }
    return payments;
  }

  /** Yields the set-up of a ledger: a preapproval for every party, then the coins. */
  *opening(): Generator<{ command: Command; context: Context }> {
    const now = GENESIS_TIME;
    for (const receiver of this.parties) {
      yield {
        command: { type: 'CreatePreapproval', receiver, provider: DSO, expiresAt: Instant.latest, inputs: [] },
        context: { now, actAs: [DSO, receiver] },
      };
    }
    for (let i = 0; i < this.coins; i++) {
      const receiver = this.parties[i % this.parties.length] as PartyId;
      yield {
        command: { type: 'Tap', receiver, amount: Amount.ofUnits(BigInt(this.openingUnits(i))) },
        context: { now, actAs: [receiver] },
      };
    }
  }

  /** Returns the preapproval of each party. They are looked up once, as a client gets them from a registry. */
  preapprovals(state: LedgerState): readonly ContractId[] {
    return this.parties.map((party) => firstByKey(state, 'TransferPreapproval', `receiver:${party}`)?.id as ContractId);
  }

  /** Returns a payment as a command. It spends the smallest coins first until they cover the amount. */
  command(
    { sender, receiver, units }: Payment,
    state: LedgerState,
    preapprovals: readonly ContractId[],
  ): { command: Command; context: Context } {
    const from = this.parties[sender] as PartyId;
    const amount = Amount.ofUnits(BigInt(units));
    return {
      command: {
        type: 'DirectTransfer',
        sender: from,
        receiver: this.parties[receiver] as PartyId,
        amount,
        inputs: inputsCovering(state, from, amount, 'smallest'),
        preapproval: preapprovals[receiver] as ContractId,
      },
      context: { now: GENESIS_TIME, actAs: [from] },
    };
  }

  bound(): Bound {
    const bound = new Bound(this.parties.length);
    for (let i = 0; i < this.coins; i++) {
      const units = this.openingUnits(i);
      bound.add(i % this.parties.length, Math.floor(units / 1e10), units % 1e10);
    }
    return bound;
  }
}

/**
 * Returns a party id in one piece. `PartyId.of` concatenates it from 70 parts of 1 KB, which V8 joins on the first
 * lookup: the memory of a world would shrink while it is measured.
 */
function flatParty(hint: string): PartyId {
  return accept(PartyId.parse(Buffer.from(PartyId.of(hint), 'latin1').toString('latin1')));
}

/** Returns the value of a result. Throws an error with the refusal. */
export function accept<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`the bench was refused: ${Object.entries(result.error as object).join(' ')}`);
  return result.value;
}

/** The hash of Node's crypto module, the choice of a program that writes long logs. */
export const sha256: Sha256 = (...pieces) =>
  pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();
