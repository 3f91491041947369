import {
  Amount,
  Duration,
  genesisConfig,
  GENESIS_TIME,
  Instant,
  isKnownParty,
  openEngine,
  settingsOf,
  stateHash,
  updateOf,
  type Command,
  type ContractId,
  type Engine,
  type Entry,
  type Holding,
  type LedgerState,
  type PartyId,
  type Round,
  type Update,
  type UpdateOf,
} from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { newSha256 } from '../hash/sha256.js';

/** What a party needs to receive and to pay in one step. */
export interface Account {
  readonly party: PartyId;
  readonly preapproval: ContractId;
}

/** What the ledger of a replay is opened with. */
export interface NetworkOptions {
  readonly seed: number;
  /** Inputs that one transaction may have. */
  readonly maxNumInputs: number;
  /** Coin per round; null: the network's own number. */
  readonly holdingRate: Amount | null;
  /** Round that the first coins are stamped with. */
  readonly firstRound: Round;
  /** Whether the third round contract opens after a tick, as on the network, or never. */
  readonly roundsAdvance: boolean;
  readonly onUpdate: (update: Update) => void;
}

/** Price at which USD and coin are the same number, so that fees are given in coin. */
const ONE_DOLLAR: Amount = Amount.one;

/**
 * The ledger that a replay drives: the core's engine, the clock and the parties' verbs. Every verb is one command; a refusal
 * means that the replay itself is wrong, so it throws.
 */
export class NetworkLedger {
  readonly #engine: Engine;
  readonly #dso: PartyId;
  #now: Instant = GENESIS_TIME;

  constructor(options: NetworkOptions) {
    const { transferConfigUsd, tickDuration } = genesisConfig('feeless');
    const holdingFee = options.holdingRate ?? transferConfigUsd.holdingFee;
    this.#engine = openEngine({
      seed: options.seed,
      amuletPrice: ONE_DOLLAR,
      isDevNet: true,
      // The published conventions judge dust at the round that stamps new coins; a network does so a round earlier.
      rules: { dustRoundsBehindNewest: 1 },
      config: {
        transferConfigUsd: { ...transferConfigUsd, holdingFee, maxNumInputs: options.maxNumInputs },
        // Nothing but payments moves the coin that is measured.
        transferPreapprovalFeeUsd: Amount.zero,
      },
      // Bootstrap opens two rounds at once, and the newer one stamps.
      initialRound: (options.firstRound - 1) as Round,
      round0Duration: options.roundsAdvance ? tickDuration : Duration.days(1_000_000),
      onEntry: (entry) => options.onUpdate(updateOf(entry)),
    });
    this.#dso = settingsOf(this.#engine.state).dso;
  }

  get state(): LedgerState {
    return this.#engine.state;
  }

  /** Moves the clock; it never goes back. */
  set now(now: Instant) {
    this.#now = now;
  }

  get now(): Instant {
    return this.#now;
  }

  /** Makes a party known and ready to receive in one step. */
  open(party: PartyId): Account {
    if (!isKnownParty(this.state, party)) this.#submit({ type: 'AllocateParty', party }, [party]);
    const opened = this.#submit(
      { type: 'CreatePreapproval', receiver: party, provider: party, expiresAt: Instant.latest, inputs: [] },
      [party],
    ) as UpdateOf<'PreapprovalCreated'>; // the kind that this command makes
    return { party, preapproval: opened.detail.preapproval };
  }

  /** Coin out of nothing. */
  mint({ party }: Account, amount: Amount): void {
    this.#submit({ type: 'Mint', receiver: party, amount }, [this.#dso, party]);
  }

  /** A payment from chosen coins; what is left over comes back as change. */
  pay(sender: Account, receiver: Account, amount: Amount, inputs: readonly Holding[]): void {
    if (sender === receiver) return this.#payOneself(sender, amount, inputs);
    this.#submit(
      {
        type: 'DirectTransfer',
        sender: sender.party,
        receiver: receiver.party,
        amount,
        inputs: idsOf(inputs),
        preapproval: receiver.preapproval,
      },
      [sender.party],
    );
  }

  /** Makes one coin of several. */
  merge({ party }: Account, inputs: readonly Holding[]): void {
    this.#submit({ type: 'MergeHoldings', owner: party, inputs: idsOf(inputs) }, [party]);
  }

  /** Lets dust vanish. */
  expire(dust: readonly Holding[]): void {
    if (dust.length > 0) this.#submit({ type: 'ExpireDust', holdings: idsOf(dust) }, [this.#dso]);
  }

  /** The next round, which from now on stamps coins. */
  advanceRound(): void {
    this.#submit({ type: 'AdvanceOpenRounds', amuletPrice: ONE_DOLLAR }, [this.#dso]);
  }

  /** The round that a coin made now is stamped with. */
  stampingRound(): Round | null {
    return newestUsableRound(this.state, this.#now)?.round ?? null;
  }

  hash(): string {
    return stateHash(this.#engine.state, newSha256());
  }

  /** A split: the asked amount is the younger coin, as for every other receiver, so the rest is asked for and the amount left over. */
  #payOneself({ party: sender }: Account, amount: Amount, inputs: readonly Holding[]): void {
    const rest = Amount.sub(Amount.sum(inputs.map((coin) => coin.amount)), amount);
    const asked = rest > 0n ? rest : amount;
    this.#submit({ type: 'SelfTransfer', sender, amount: asked, inputs: idsOf(inputs) }, [sender]);
  }

  #submit(command: Command, actAs: readonly PartyId[]): Entry {
    const outcome = this.#engine.submit(command, { now: this.#now, actAs });
    if (!outcome.ok) throw new Error(`the ledger refused ${command.type} with ${outcome.error.code}`);
    return outcome.value;
  }
}

function idsOf(holdings: readonly Holding[]): readonly ContractId[] {
  return holdings.map(({ id }) => id);
}
