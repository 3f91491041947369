import {
  Amount,
  balanceOf,
  type Balance,
  type Command,
  type CommandOf,
  type CommandType,
  type Contract,
  ContractId,
  Duration,
  explain,
  type Holding,
  holdingsOf,
  inputsCovering,
  Instant,
  isKnownParty,
  type Law,
  LAWS,
  type Ledger,
  ledgerFrom,
  type LedgerState,
  ok,
  PartyId,
  type Rejection,
  type Round,
  settingsOf,
  type Update,
  type UpdateOfCommand,
  utxoCountOf,
} from '@coinlab/core';
import { earliestAdvance, newestUsableRound } from '@coinlab/core/rules';
import { findAny, openRoundsOf, type HoldingOrder } from '@coinlab/core/views';
import { LedgerAssertionError } from '../failure.js';
import { actorOf, type Actor, type Attempts } from './actor.js';
import type { LedgerCoverage } from './coverage.js';
import { PARTIES, type TestParties } from './parties.js';
import { misfit, withContract, withoutContract, type Unplaced } from './put.js';
import { LedgerReport, type SubmittedCommand } from './report.js';
import { savedText } from './saved.js';
import type { Submitted } from './submitted.js';
import { CommandTrace } from './trace.js';
import { verbsOf, type Verbs } from './verbs.js';
import { amountOf, commandOf, type WrittenCommand } from './written.js';

/** A mutable ledger for tests. {@link createTestLedger} opens one; {@link TestLedger.copy} returns an independent copy. */
export class TestLedger {
  /** The ten parties by name: `const { alice, bob } = world.parties`. */
  readonly parties: TestParties = PARTIES;
  /** Counts the commands of this ledger, its copies and `given(world)`; null if nothing is counted. */
  readonly coverage: LedgerCoverage | null;
  #ledger: Ledger;
  #now: Instant;
  readonly #laws: readonly Law[];
  /** The log up to the last `put` or `take`. `#ledger` restarts there with an empty log. */
  #earlier: readonly Update[] = [];
  #wasPut = false;
  readonly #submitted: SubmittedCommand[] = [];

  /**
   * Wraps a ledger.
   * @param laws the laws that are checked on every update after a `put` or `take`; until then the ledger checks its own
   */
  constructor(ledger: Ledger, laws: readonly Law[] = LAWS, coverage: LedgerCoverage | null = null) {
    this.coverage = coverage;
    this.#ledger = ledger;
    this.#now = ledger.state.time;
    this.#laws = laws;
  }

  get dso(): PartyId {
    return settingsOf(this.state).dso;
  }

  get ledger(): Ledger {
    return this.#ledger;
  }

  /** The state after the last command, for the core's views. */
  get state(): LedgerState {
    return this.#ledger.state;
  }

  get now(): Instant {
    return this.#now;
  }

  /** The newest usable round. Throws if no round is open. */
  get round(): Round {
    const open = newestUsableRound(this.state, this.now);
    if (!open) throw new LedgerAssertionError(`no round is open at ${Instant.format(this.now)}`);
    return open.round;
  }

  /** Returns the party `PartyId.of(name)`. Allocates it if the ledger does not have it. */
  party(name: string): PartyId {
    const party = PartyId.of(name);
    if (!isKnownParty(this.state, party)) this.execute({ type: 'AllocateParty', party }, party);
    return party;
  }

  /**
   * Returns the verbs of a party, which submit commands: `world.as(alice).pay(bob, '2.5')`. They throw if the
   * command is refused.
   * @param others parties that also authorise the commands
   */
  as(party: PartyId, ...others: readonly PartyId[]): Actor {
    return this.#actor(party, others, (command, actAs) => this.execute(command, ...actAs));
  }

  /**
   * Returns the verbs of a party, which submit commands and return results: `world.attempt(alice).pay(bob,
   * '99999').ok`.
   */
  attempt(party: PartyId, ...others: readonly PartyId[]): Attempts {
    return this.#actor(party, others, (command, actAs) => this.submit(command, ...actAs));
  }

  /**
   * Returns the verbs of a party, which return commands without submitting them:
   * `given(world).as(alice).when(world.commands(alice).merge())`.
   */
  commands(party: PartyId, ...others: readonly PartyId[]): Verbs {
    return verbsOf({ ledger: this.#ledger, now: this.#now, actAs: [party, ...others] });
  }

  /** Submits a command. A refused command changes nothing and is returned as `{ ok: false, error }`. */
  submit<Type extends CommandType>(
    command: WrittenCommand<Type>,
    ...actAs: readonly PartyId[]
  ): Submitted<CommandOf<Type>> {
    // Annotated, because the compiler cannot compare the narrowed results of all commands at once (TS2859).
    const read: Command = commandOf(command);
    const result = this.#ledger.submit(read, { now: this.#now, actAs });
    if (result.ok) this.#ledger = result.value.ledger;
    this.coverage?.add(command.type, result, this.#laws);
    this.#submitted.push({ type: command.type, actAs, outcome: result.ok ? ok(result.value.update) : result });
    // Cast: the update has the type of this command.
    return result as Submitted<CommandOf<Type>>;
  }

  /** Submits a command and returns its update. Throws if the command is refused. */
  execute<Type extends CommandType>(
    command: WrittenCommand<Type>,
    ...actAs: readonly PartyId[]
  ): UpdateOfCommand<CommandOf<Type>> {
    const result = this.submit<Type>(command, ...actAs);
    if (!result.ok) throw refusalError(command.type, actAs, result.error);
    return result.value.update;
  }

  /**
   * Returns the effects of a command without submitting it: its outcome, the archived and created coins, the
   * burned coin.
   */
  trace<Type extends CommandType>(command: WrittenCommand<Type>, ...actAs: readonly PartyId[]): CommandTrace {
    return new CommandTrace(commandOf(command), { ledger: this.#ledger, now: this.#now, actAs });
  }

  /** Returns the coin of a party: unlocked, locked and in total. */
  balanceOf(party: PartyId): Balance {
    return balanceOf(this.state, party);
  }

  /** Returns the number of coins of a party, including locked ones. */
  utxoCountOf(party: PartyId): number {
    return utxoCountOf(this.state, party);
  }

  holdingsOf(party: PartyId, order: HoldingOrder = 'oldest'): readonly Holding[] {
    return [...holdingsOf(this.state, party, order)];
  }

  /** Returns the ids of a party's largest coins that cover an amount, for the `inputs` of a command. */
  inputsFor(party: PartyId, amount: Amount | string): readonly ContractId[] {
    return inputsCovering(this.state, party, amountOf(amount));
  }

  /** Mints a coin for a party and returns its id. */
  mint(receiver: PartyId, amount: Amount | string): ContractId {
    return this.execute({ type: 'Mint', receiver, amount: amountOf(amount) }, this.dso, receiver).detail.holding;
  }

  /** Returns the current time plus a duration, for deadlines such as `executeBefore: world.later('1h')`. */
  later(span: Duration | string): Instant {
    return Instant.plus(this.#now, Duration.of(span));
  }

  /** Advances the clock by a duration: `world.advance('1h30m')`. Rounds do not advance automatically. */
  advance(span: Duration | string): this {
    return this.advanceTo(this.later(span));
  }

  /** Advances the clock to a time. Throws for a time before {@link now}. */
  advanceTo(time: Instant): this {
    if (time < this.#now)
      throw new LedgerAssertionError(
        `ledger time never decreases: it is ${Instant.format(this.#now)}, and ${Instant.format(time)} is earlier`,
      );
    this.#now = time;
    return this;
  }

  /**
   * Advances rounds at an unchanged price, each at its earliest time, until `round` is the newest usable
   * round. Older rounds stay in the summarizing phase until `StartIssuing`.
   */
  advanceToRound(round: number): this {
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
      this.execute({ type: 'AdvanceOpenRounds', amuletPrice: newest?.amuletPrice ?? Amount.one }, this.dso);
    }
    return this;
  }

  /** Returns an independent ledger with the same state, log and clock. Takes constant time. */
  copy(): TestLedger {
    const copy = new TestLedger(this.#ledger, this.#laws, this.coverage);
    copy.#now = this.#now;
    copy.#earlier = this.#earlier;
    copy.#wasPut = this.#wasPut;
    return copy;
  }

  /**
   * Adds any contract to the ledger without workflow, authorisation or laws. The log does not contain it and
   * no longer replays to the state ({@link isReplayable}). Its coin counts as minted, so the supply stays
   * correct.
   * @returns the contract's id
   */
  put(contract: Unplaced): ContractId {
    const problem = misfit(contract);
    if (problem) throw new LedgerAssertionError(`cannot put this contract: ${problem}`, undefined, contract);
    const id = ContractId.of(this.state.nextContract);
    this.#goOnFrom(withContract(this.state, { id, ...contract }));
    return id;
  }

  /**
   * Removes an active contract without workflow, authorisation or laws. The log does not contain the removal.
   * The contract's coin counts as burned.
   * @returns the removed contract
   */
  take(id: ContractId): Contract {
    const contract = findAny(this.state, id);
    if (!contract) throw new LedgerAssertionError(`contract ${id} is not active, so it cannot be taken`);
    this.#goOnFrom(withoutContract(this.state, id));
    return contract;
  }

  /**
   * Whether the log replays to the state: no contract was put or taken, and the ledger does not continue a
   * state.
   */
  get isReplayable(): boolean {
    return !this.#wasPut && this.updates()[0]?.offset === 1;
  }

  /**
   * Returns the ledger as text, for `createTestLedger({ from: text })` or `coinlab serve --from FILE`. The
   * text is the log, one update per line. If the log does not replay to the state ({@link isReplayable}), it
   * is the state instead, one contract per line.
   */
  save(): string {
    return savedText(this.updates(), this.isReplayable ? null : this.state);
  }

  /**
   * Returns the effects of the commands so far: updates, refusals, traffic and burned coin by command and
   * party. The report of a copy starts empty.
   */
  report(): LedgerReport {
    return new LedgerReport(this.#submitted);
  }

  /** Returns the log: every update so far, starting with the update that opened the ledger. */
  updates(): readonly Update[] {
    return [...this.#earlier, ...this.#ledger.updates()];
  }

  /** Returns the SHA-256 of the state's canonical form. */
  hash(): string {
    return this.#ledger.hash();
  }

  #actor<Acting extends Actor | Attempts>(
    party: PartyId,
    others: readonly PartyId[],
    submit: (command: Command, actAs: readonly PartyId[]) => unknown,
  ): Acting {
    const actAs = [party, ...others] as const;
    return actorOf(
      () => ({ ledger: this.#ledger, now: this.#now, actAs }),
      (command) => submit(command, actAs),
    );
  }

  #goOnFrom(state: LedgerState): void {
    this.#earlier = this.updates();
    this.#wasPut = true;
    this.#ledger = ledgerFrom(state, this.#laws);
  }
}

function refusalError(type: CommandType, actAs: readonly PartyId[], rejection: Rejection): LedgerAssertionError {
  const actors = actAs.map(PartyId.hint).join(', ') || 'nobody';
  const { code } = rejection;
  return new LedgerAssertionError(
    `${type} by ${actors} is refused with ${code}: ${explain(rejection)}`,
    'accepted',
    code,
  );
}
