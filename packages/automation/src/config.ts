import { Amount, err, ok, PartyId, type Duration, type Json, type Malformed, type Result } from '@coinlab/core';
import { refDigits, shapes, type Shape } from '@coinlab/core/workflows';
import type { AutoAcceptConfig } from './auto-accept.js';
import type { DsoConfig } from './dso.js';
import type { MergeConfig } from './merge-delegation.js';
import type { PreapprovalConfig } from './preapprovals.js';
import type { OfferForm, SweepConfig } from './sweep.js';
import type { TopUpConfig } from './top-up.js';

const { amount, bool, duration, integer, list, mapOf, nullable, oneOf, party, record, text } = shapes;

/** Settings of the automation of a whole network. Source: specification §8. */
export interface AutomationConfig {
  /** Settings of the DSO's routines; null disables them. */
  readonly dso: DsoConfig | null;
  /** Super validators that collect rewards, with their beneficiaries. */
  readonly superValidators: readonly SuperValidatorAutomation[];
  readonly validators: readonly ValidatorAutomation[];
  readonly mergeOperators: readonly MergeAutomation[];
}

/** Automation of a super validator's node. Source: specification §6.7. */
export interface SuperValidatorAutomation {
  readonly sv: PartyId;
  /** Reward weights of the beneficiaries; the super validator keeps the rest of its weight. */
  readonly beneficiaries: readonly { readonly beneficiary: PartyId; readonly weight: number }[];
}

/** Automation of a validator, for itself and for the wallets it runs. Source: specification §8. */
export interface ValidatorAutomation {
  readonly validator: PartyId;
  /** Participant whose traffic is topped up. */
  readonly memberId: string;
  /**
   * Owners of the wallets for which the validator runs automation, itself included. Null: the validator and the owners
   * of all wallets that are installed on the ledger.
   */
  readonly wallets: readonly PartyId[] | null;
  readonly recordsLiveness: boolean;
  readonly collectsRewards: boolean;
  /** True: completes, aborts and expires wallet offers and traffic requests (§8.6). */
  readonly completesOffers: boolean;
  /** True: mints for the beneficiaries of its minting delegations and removes expired delegations (§8.9). */
  readonly mintsByDelegation: boolean;
  /** True: executes the transfer commands of external parties (§8.10). */
  readonly sendsTransferCommands: boolean;
  /** True: pays for names before they expire. */
  readonly renewsNames: boolean;
  /** Settings of the top-up loop (§8.3); null disables it. */
  readonly topUp: TopUpConfig | null;
  /** Settings of preapprovals (§8.7); null: the validator neither accepts nor renews any. */
  readonly preapprovals: PreapprovalConfig | null;
  /** True: accepts merge delegations that owners hosted by the validator propose to it (§8.8). */
  readonly acceptsMergeDelegations: boolean;
  readonly sweeps: Readonly<Record<PartyId, SweepConfig>>;
  /** Form of the offers that sweeps create (§11.1). */
  readonly walletOffers: OfferForm;
  readonly autoAccept: Readonly<Record<PartyId, AutoAcceptConfig>>;
  /** Delay after a deadline before automation removes an expired contract, so that all clocks agree (§2.6). */
  readonly clockSkewGrace: Duration;
}

/** Settings of the merges by a wallet provider (§8.8). */
export interface MergeAutomation extends MergeConfig {
  readonly operator: PartyId;
}

const whole: Shape<AutomationConfig> = record<AutomationConfig>({
  dso: nullable(
    record<DsoConfig>({
      clockSkewGrace: duration,
      expiresDust: bool,
      expiryBatch: integer,
      couponBatch: integer,
      markerBatch: integer,
    }),
  ),
  superValidators: list(
    record<SuperValidatorAutomation>({
      sv: party,
      beneficiaries: list(
        record<SuperValidatorAutomation['beneficiaries'][number]>({ beneficiary: party, weight: integer }),
      ),
    }),
  ),
  validators: list(
    record<ValidatorAutomation>({
      validator: party,
      memberId: text,
      wallets: nullable(list(party)),
      recordsLiveness: bool,
      collectsRewards: bool,
      completesOffers: bool,
      mintsByDelegation: bool,
      sendsTransferCommands: bool,
      renewsNames: bool,
      topUp: nullable(
        record<TopUpConfig>({
          targetThroughput: integer,
          minTopupInterval: duration,
          pollingInterval: duration,
          tap: oneOf(['always', 'when-lacking', 'never']),
        }),
      ),
      preapprovals: nullable(
        record<PreapprovalConfig>({ lifetime: duration, renewalWindow: duration, acceptsForeignReceivers: bool }),
      ),
      acceptsMergeDelegations: bool,
      sweeps: mapOf(
        record<SweepConfig>({
          receiver: party,
          maxBalanceUSD: amount,
          minBalanceUSD: amount,
          useTransferPreapproval: bool,
        }),
      ),
      walletOffers: oneOf(['locked', 'public']),
      autoAccept: mapOf(
        record<AutoAcceptConfig>({ fromParties: list(party), instructions: oneOf(['none', 'wallet', 'all']) }),
      ),
      clockSkewGrace: duration,
    }),
  ),
  mergeOperators: list(
    record<MergeAutomation>({
      operator: party,
      mergeAbove: integer,
      holdingsPerCall: integer,
      callsPerBatch: integer,
      marksActivity: bool,
    }),
  ),
});

/**
 * Reads a configuration from JSON.
 * @returns the configuration, or every invalid value and contradiction, each with the name of its setting
 */
export function parseAutomationConfig(json: unknown): Result<AutomationConfig, readonly Malformed[]> {
  const faults: Malformed[] = [];
  const config = whole.read(json, faults);
  if (faults.length > 0) return err(faults);
  const contradictions = contradictionsOf(config);
  return contradictions.length > 0 ? err(contradictions) : ok(config);
}

/** Returns the JSON form of a configuration; {@link parseAutomationConfig} reads it back. */
export function formatAutomationConfig(config: AutomationConfig): Json {
  return JSON.parse(whole.print(config, refDigits));
}

function contradictionsOf({
  dso,
  superValidators,
  validators,
  mergeOperators,
}: AutomationConfig): readonly Malformed[] {
  const faults: Malformed[] = [];
  const mustFit = (fits: boolean, field: string, value: unknown, expected: string): void => {
    if (!fits) faults.push({ field, value: String(value), expected });
  };
  if (dso) {
    for (const field of ['expiryBatch', 'couponBatch', 'markerBatch'] as const)
      mustFit(dso[field] >= 1, `dso.${field}`, dso[field], 'at least 1');
  }
  for (const [i, { beneficiaries }] of superValidators.entries()) {
    for (const [j, { weight }] of beneficiaries.entries())
      mustFit(weight >= 1, `superValidators[${i}].beneficiaries[${j}].weight`, weight, 'at least 1');
  }
  for (const [i, { topUp, sweeps, autoAccept }] of validators.entries()) {
    const at = `validators[${i}]`;
    if (topUp) {
      const { targetThroughput, pollingInterval, minTopupInterval } = topUp;
      mustFit(targetThroughput >= 0, `${at}.topUp.targetThroughput`, targetThroughput, 'zero or above');
      mustFit(pollingInterval > 0n, `${at}.topUp.pollingInterval`, pollingInterval, 'above zero');
      mustFit(
        minTopupInterval >= pollingInterval,
        `${at}.topUp.minTopupInterval`,
        minTopupInterval,
        'at least the polling interval',
      );
    }
    for (const [sender, { minBalanceUSD, maxBalanceUSD }] of Object.entries(sweeps)) {
      mustFit(PartyId.parse(sender).ok, `${at}.sweeps`, sender, 'party ids as keys');
      mustFit(
        minBalanceUSD >= 0n && minBalanceUSD <= maxBalanceUSD,
        `${at}.sweeps.${sender}.minBalanceUSD`,
        Amount.format(minBalanceUSD),
        'from zero to maxBalanceUSD',
      );
    }
    for (const receiver of Object.keys(autoAccept))
      mustFit(PartyId.parse(receiver).ok, `${at}.autoAccept`, receiver, 'party ids as keys');
  }
  for (const [i, { mergeAbove, holdingsPerCall, callsPerBatch }] of mergeOperators.entries()) {
    mustFit(mergeAbove >= 1, `mergeOperators[${i}].mergeAbove`, mergeAbove, 'at least 1');
    mustFit(holdingsPerCall >= 2, `mergeOperators[${i}].holdingsPerCall`, holdingsPerCall, 'at least 2');
    mustFit(callsPerBatch >= 1, `mergeOperators[${i}].callsPerBatch`, callsPerBatch, 'at least 1');
  }
  return faults;
}
