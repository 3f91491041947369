import {
  type Contract,
  type Holding,
  holdingsOf,
  settingsOf,
  type LedgerState,
  Amount,
  ContractId,
  PartyId,
  type Rejection,
  ok,
  type Result,
  Instant,
  type Duration,
  type Round,
  LAWS,
  ledgerFrom,
  openLedger,
  type Ledger,
  type LedgerOptions,
  type Update,
  type UpdateKind,
  type UpdateOf,
  inputsCovering,
  balanceOf,
  utxoCountOf,
  type Balance,
  type Command,
} from '@coinlab/core';
import { findAny, openRoundsOf, type HoldingOrder } from '@coinlab/core/views';
import { earliestAdvance, newestUsableRound } from '@coinlab/core/rules';
import { LedgerAssertionError, plain } from './failure.js';
import { misfit, withContract, withoutContract, type Unplaced } from './put.js';

/** Names of the parties that every test ledger has: those of `coinlab serve --dev`. Their ids are `PartyId.of(name)`. */
export const TEST_PARTIES: readonly string[] = 'alice bob carol dave erin frank grace heidi ivan judy'.split(' ');

/** How a test ledger begins. */
export interface TestLedgerOptions extends LedgerOptions {
  /** Coin that each of the ten parties is given, in one holding; left out: 10,000. */
  readonly funds?: Amount | string;
}

/** A ledger with ten funded parties and a clock that stands still until it is told to move. Every update keeps all laws. */
export function createTestLedger(options: TestLedgerOptions = {}): TestLedger {
  const { funds = '10000', laws = LAWS, ...rest } = options;
  const ledger = new TestLedger(openLedger({ ...rest, laws }), laws);
  const amount = amountOf(funds);
  for (const party of ledger.parties) {
    ledger.submit({ type: 'AllocateParty', party }, party);
    if (amount > 0n) ledger.mint(party, amount);
  }
  return ledger;
}

/** A ledger for tests, driven by hand: {@link createTestLedger} makes one. It changes in place; {@link fork} gives a second one. */
export class TestLedger {
  #ledger: Ledger;
  #now: Instant;
  readonly #laws: LedgerOptions['laws'];
  /** What the log held before a contract was put: a ledger that goes on from a state knows nothing of it. */
  #earlier: readonly Update[];
  #puts: readonly ContractId[];

  /** @param puts contracts put or taken by hand so far */
  constructor(
    ledger: Ledger,
    laws: LedgerOptions['laws'] = LAWS,
    now: Instant = ledger.state.time,
    earlier: readonly Update[] = [],
    puts: readonly ContractId[] = [],
  ) {
    this.#ledger = ledger;
    this.#laws = laws;
    this.#now = now;
    this.#earlier = earlier;
    this.#puts = puts;
  }

  /** The ten parties, in the order of {@link TEST_PARTIES}. */
  get parties(): readonly PartyId[] {
    return TEST_PARTIES.map(PartyId.of);
  }

  /** The DSO. */
  get dso(): PartyId {
    return settingsOf(this.state).dso;
  }

  /** The ledger as an immutable value, as it stands. */
  get ledger(): Ledger {
    return this.#ledger;
  }

  /** The state as it stands: what every view of the core takes. */
  get state(): LedgerState {
    return this.#ledger.state;
  }

  /** The time at which the next command takes effect. */
  get now(): Instant {
    return this.#now;
  }

  /** The newest round that is usable now. */
  get round(): Round {
    const open = newestUsableRound(this.state, this.now);
    if (!open) throw new LedgerAssertionError(`no round is open at ${Instant.format(this.now)}`);
    return open.round;
  }

  /** Submits a command that must be accepted, and gives its update. Throws with the rejection when it is refused. */
  submit(command: Command, ...actAs: readonly PartyId[]): Update {
    const result = this.attempt(command, ...actAs);
    if (!result.ok) throw refusal(command, actAs, result.error);
    return result.value;
  }

  /** The same for a command of which the kind of update is known, so that its detail is typed. */
  happens<Kind extends UpdateKind>(kind: Kind, command: Command, ...actAs: readonly PartyId[]): UpdateOf<Kind> {
    const update = this.submit(command, ...actAs);
    if (update.kind !== kind)
      throw new LedgerAssertionError(`${command.type} is told as ${update.kind}, not as ${kind}`, kind, update.kind);
    // Its kind was compared above.
    return update as UpdateOf<Kind>;
  }

  /** Submits a command that may be refused; a refused one changes nothing. */
  attempt(command: Command, ...actAs: readonly PartyId[]): Result<Update, Rejection> {
    const result = this.#ledger.submit(command, { now: this.#now, actAs });
    if (!result.ok) return result;
    this.#ledger = result.value.ledger;
    return ok(result.value.update);
  }

  /** What a party holds: unlocked, locked and in total. */
  balanceOf(party: PartyId): Balance {
    return balanceOf(this.state, party);
  }

  /** How many coins a party holds, locked ones among them. */
  utxoCountOf(party: PartyId): number {
    return utxoCountOf(this.state, party);
  }

  /** The unlocked coins of a party. */
  holdingsOf(party: PartyId, order: HoldingOrder = 'oldest'): readonly Holding[] {
    return [...holdingsOf(this.state, party, order)];
  }

  /** Coins that cover an amount, the largest first: the `inputs` of a command. */
  inputsFor(party: PartyId, amount: Amount | string): readonly ContractId[] {
    return inputsCovering(this.state, party, amountOf(amount));
  }

  /** Mints a coin for a party; its id. */
  mint(receiver: PartyId, amount: Amount | string): ContractId {
    const command = { type: 'Mint', receiver, amount: amountOf(amount) } as const;
    return this.happens('Minted', command, this.dso, receiver).detail.holding;
  }

  /** Moves the clock on; no round advances by itself. */
  advanceTime(duration: Duration): this {
    return this.advanceTimeTo(Instant.plus(this.#now, duration));
  }

  /** Moves the clock to a time that is not before the present one. */
  advanceTimeTo(time: Instant): this {
    if (time < this.#now)
      throw new LedgerAssertionError(
        `ledger time never decreases: it is ${Instant.format(this.#now)}, and ${Instant.format(time)} is earlier`,
      );
    this.#now = time;
    return this;
  }

  /**
   * Advances the rounds at unchanged price, each as early as it may, until a round is the newest usable one. Rounds left behind
   * wait for `StartIssuing`.
   */
  advanceTo(round: number): this {
    if (round < this.round)
      throw new LedgerAssertionError(`rounds do not go back: the newest usable one is ${this.round}, not ${round}`);
    while (this.round < round) {
      const next = openRoundsOf(this.state).find((open) => open.round === this.round + 1);
      if (next) {
        this.#now = next.opensAt;
        continue;
      }
      this.#now = Instant.later(this.#now, earliestAdvance(this.state) ?? this.#now);
      const newest = openRoundsOf(this.state).at(-1);
      this.submit({ type: 'AdvanceOpenRounds', amuletPrice: newest?.amuletPrice ?? Amount.one }, this.dso);
    }
    return this;
  }

  /** A second ledger that starts as this one stands; neither sees what the other does. */
  fork(): TestLedger {
    return new TestLedger(this.#ledger, this.#laws, this.#now, this.#earlier, this.#puts);
  }

  /**
   * Puts a contract on the ledger, however impossible: past all workflows, authorities and laws. Nothing of it stands in the log, so the log
   * no longer leads to this state ({@link isReplayable}); put coin counts as minted, so that the sums stay true.
   * @returns its id
   */
  put(contract: Unplaced): ContractId {
    const problem = misfit(contract);
    if (problem) throw new LedgerAssertionError(`cannot put this contract: ${problem}`, undefined, contract);
    const id = ContractId.of(this.state.nextContract);
    // `misfit` has checked the fields of its template.
    this.#goOnFrom(withContract(this.state, { id, ...contract } as Contract), id);
    return id;
  }

  /** Takes a contract off the ledger in the same way; coin that is taken counts as burned. */
  take(id: ContractId): Contract {
    const contract = findAny(this.state, id);
    if (!contract) throw new LedgerAssertionError(`contract ${id} is not active, so it cannot be taken`);
    this.#goOnFrom(withoutContract(this.state, id), id);
    return contract;
  }

  /** Whether the updates alone lead to this state: no contract was put or taken by hand. */
  get isReplayable(): boolean {
    return this.#puts.length === 0;
  }

  /** The log: every update so far, the opening first. */
  updates(): readonly Update[] {
    return [...this.#earlier, ...this.#ledger.updates()];
  }

  /** SHA-256 of the canonical state. */
  hash(): string {
    return this.#ledger.hash();
  }

  #goOnFrom(state: LedgerState, id: ContractId): void {
    this.#earlier = this.updates();
    this.#puts = [...this.#puts, id];
    this.#ledger = ledgerFrom(state, this.#laws);
  }
}

/** An amount that is given as text. */
function amountOf(value: Amount | string): Amount {
  return typeof value === 'string' ? Amount.of(value) : value;
}

/** What is thrown when a command that must be accepted is refused. */
function refusal(command: Command, actAs: readonly PartyId[], { code, ...evidence }: Rejection): LedgerAssertionError {
  const who = actAs.map(PartyId.hint).join(', ') || 'nobody';
  return new LedgerAssertionError(
    `${command.type} by ${who} is refused: ${code} ${JSON.stringify(plain(evidence))}`,
    'accepted',
    code,
  );
}
