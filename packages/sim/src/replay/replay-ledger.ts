import {
  Amount,
  Duration,
  Engine,
  genesisConfig,
  Instant,
  isKnownParty,
  openEngine,
  type ContractId,
  type EngineOptions,
  type Holding,
  type LedgerState,
  type PartyId,
  type Round,
} from '@coinlab/core';
import { newestUsableRound } from '@coinlab/core/rules';
import { LedgerDriver } from '../world/driver.js';
import { DSO } from '../world/network.js';

interface ReplayOptions extends Pick<EngineOptions, 'onEntry'> {
  readonly seed: number;
  readonly maxNumInputs: number;
  /** Coin per round; null: the network's default. */
  readonly holdingRate: Amount | null;
  readonly firstRound: Round;
  readonly roundsAdvance: boolean;
  readonly state?: LedgerState | undefined;
}

export interface Account {
  readonly party: PartyId;
  readonly preapproval: ContractId;
}

/** USD and coin are equal at this price, so fees are given in coin. */
const ONE_DOLLAR: Amount = Amount.one;

/** Every command follows from the file, so a refusal throws. */
export class ReplayLedger extends LedgerDriver {
  constructor({ seed, maxNumInputs, holdingRate, firstRound, roundsAdvance, onEntry, state }: ReplayOptions) {
    const { transferConfigUsd, tickDuration } = genesisConfig('feeless');
    const holdingFee = holdingRate ?? transferConfigUsd.holdingFee;
    const listener = { ...(onEntry && { onEntry }) };
    const opened = (): Engine =>
      openEngine({
        seed,
        amuletPrice: ONE_DOLLAR,
        isDevNet: true,
        // The published conventions judge dust at the round of new coins; the network does so one round earlier.
        rules: { dustRoundsBehindNewest: 1 },
        config: {
          transferConfigUsd: { ...transferConfigUsd, holdingFee, maxNumInputs },
          // Only payments move the measured coin.
          transferPreapprovalFeeUsd: Amount.zero,
        },
        // Bootstrap opens two rounds at once, and new coins get the newer one.
        initialRound: (firstRound - 1) as Round,
        round0Duration: roundsAdvance ? tickDuration : Duration.days(1_000_000),
        ...listener,
      });
    super(state ? new Engine(listener, state) : opened(), ({ code }, { type }) => {
      throw new Error(`the ledger refused ${type}: ${code}`);
    });
  }

  open(party: PartyId): Account {
    if (!isKnownParty(this.state, party)) this.submit({ type: 'AllocateParty', party }, party);
    const opened = this.submit(
      { type: 'CreatePreapproval', receiver: party, provider: party, expiresAt: Instant.latest, inputs: [] },
      party,
    );
    if (opened?.kind !== 'PreapprovalCreated') throw new Error(`${party} has no preapproval`);
    return { party, preapproval: opened.detail.preapproval };
  }

  pay(sender: PartyId, { party: receiver, preapproval }: Account, amount: Amount, coins: readonly Holding[]): void {
    const inputs = coins.map(({ id }) => id);
    this.submit({ type: 'DirectTransfer', sender, receiver, amount, inputs, preapproval }, sender);
  }

  expire(dust: readonly Holding[]): void {
    if (dust.length > 0) this.submit({ type: 'ExpireDust', holdings: dust.map(({ id }) => id) }, DSO);
  }

  advanceRound(): void {
    this.submit({ type: 'AdvanceOpenRounds', amuletPrice: ONE_DOLLAR }, DSO);
  }

  stampingRound(): Round | null {
    return newestUsableRound(this.state, this.now)?.round ?? null;
  }
}
