import {
  Amount,
  Duration,
  genesisConfig,
  Instant,
  isKnownParty,
  openEngine,
  type ContractId,
  type EngineOptions,
  type Holding,
  type PartyId,
  type Round,
} from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { LedgerDriver } from '../world/driver.js';
import { DSO } from '../world/network.js';

/** What the ledger of a replay is opened with. */
interface ReplayOptions extends Pick<EngineOptions, 'onEntry'> {
  readonly seed: number;
  /** Inputs that one transaction may have. */
  readonly maxNumInputs: number;
  /** Coin per round; null: the network's own number. */
  readonly holdingRate: Amount | null;
  /** Round that the first coins are stamped with. */
  readonly firstRound: Round;
  /** Whether the third round contract opens after a tick, as on the network, or never. */
  readonly roundsAdvance: boolean;
}

/** A party that receives in one step. */
export interface Account {
  readonly party: PartyId;
  readonly preapproval: ContractId;
}

/** Price at which USD and coin are the same number, so that fees are given in coin. */
const ONE_DOLLAR: Amount = Amount.one;

/** The ledger of a replay. It throws when a command is rejected: every command of a replay follows from the file. */
export class ReplayLedger extends LedgerDriver {
  constructor({ seed, maxNumInputs, holdingRate, firstRound, roundsAdvance, onEntry }: ReplayOptions) {
    const { transferConfigUsd, tickDuration } = genesisConfig('feeless');
    const holdingFee = holdingRate ?? transferConfigUsd.holdingFee;
    const engine = openEngine({
      seed,
      amuletPrice: ONE_DOLLAR,
      isDevNet: true,
      // The published conventions judge dust at the round that stamps new coins; a network does so a round earlier.
      rules: { dustRoundsBehindNewest: 1 },
      config: {
        transferConfigUsd: { ...transferConfigUsd, holdingFee, maxNumInputs },
        // Nothing but payments moves the coin that is measured.
        transferPreapprovalFeeUsd: Amount.zero,
      },
      // Bootstrap opens two rounds at once, and the newer one stamps.
      initialRound: (firstRound - 1) as Round,
      round0Duration: roundsAdvance ? tickDuration : Duration.days(1_000_000),
      ...(onEntry && { onEntry }),
    });
    super(engine, ({ code }, { type }) => {
      throw new Error(`the ledger refused ${type} with ${code}`);
    });
  }

  /** Makes a party known and ready to receive in one step. */
  open(party: PartyId): Account {
    if (!isKnownParty(this.state, party)) this.submit({ type: 'AllocateParty', party }, party);
    const opened = this.submit(
      { type: 'CreatePreapproval', receiver: party, provider: party, expiresAt: Instant.latest, inputs: [] },
      party,
    );
    if (opened?.kind !== 'PreapprovalCreated') throw new Error(`${party} has no preapproval`);
    return { party, preapproval: opened.detail.preapproval };
  }

  /** Pays from chosen coins; the rest comes back as change. */
  pay(sender: PartyId, { party: receiver, preapproval }: Account, amount: Amount, coins: readonly Holding[]): void {
    const inputs = coins.map(({ id }) => id);
    this.submit({ type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval }, sender);
  }

  /** Removes coins that are dust. */
  expire(dust: readonly Holding[]): void {
    if (dust.length > 0) this.submit({ type: 'ExpireDust', holdings: dust.map(({ id }) => id) }, DSO);
  }

  /** Opens the next round, which from now on stamps coins. */
  advanceRound(): void {
    this.submit({ type: 'AdvanceOpenRounds', amuletPrice: ONE_DOLLAR }, DSO);
  }

  /** The round that a coin made now is stamped with. */
  stampingRound(): Round | null {
    return newestUsableRound(this.state, this.now)?.round ?? null;
  }
}
