import {
  GENESIS_TIME,
  stateHash,
  type Amount,
  type Command,
  type Engine,
  type Entry,
  type Instant,
  type LedgerState,
  type PartyId,
  type Rejection,
} from '@coinlab/core';
import { packMintTo, packPayment } from '@coinlab/core/simulation';
import { newSha256 } from '../hash/sha256.js';
import { DSO, type Submit } from './network.js';

export class LedgerDriver {
  now: Instant = GENESIS_TIME;
  readonly engine: Engine;
  readonly #onRejected: (rejection: Rejection, command: Command) => void;

  constructor(engine: Engine, onRejected: (rejection: Rejection, command: Command) => void) {
    this.engine = engine;
    this.#onRejected = onRejected;
  }

  get state(): LedgerState {
    return this.engine.state;
  }

  readonly submit: Submit = (command, ...actAs) => {
    const outcome = this.engine.submit(command, { now: this.now, actAs });
    if (outcome.ok) return outcome.value.entry;
    this.#onRejected(outcome.error, command);
    return null;
  };

  payPacked(from: number, to: number, units: number): boolean {
    const payment = packPayment({ from, to, units, now: this.now }, this.engine.state);
    if (payment) this.engine.apply(payment);
    return payment !== null;
  }

  /** Has the same effect as {@link mint} and looks up no name. Returns false, without effect, when the coin has no packed form. */
  mintPacked(to: number, units: number): boolean {
    const coin = packMintTo({ to, units, now: this.now }, this.engine.state);
    if (coin) this.engine.apply(coin);
    return coin !== null;
  }

  mint(receiver: PartyId, amount: Amount): Entry | null {
    return this.submit({ type: 'Mint', receiver, amount }, DSO, receiver);
  }

  hash(): string {
    return stateHash(this.engine.state, newSha256());
  }
}
