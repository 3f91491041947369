import { Amount, Duration, PartyId, type LedgerState } from '@coinlab/core';
import {
  DSO_DEFAULTS,
  MERGE_DEFAULTS,
  PREAPPROVAL_DEFAULTS,
  type AutomationConfig,
  type ValidatorAutomation,
} from '@coinlab/automation';
import { dsoRulesOf } from '@coinlab/core/rules';
import type { Configured } from '../config.js';
import { hasWalletAt, installOf, type Peer, type ValidatorIdentity } from '../host/hosted-parties.js';

export type AutomatedServer = Pick<ValidatorIdentity, 'peers'> & Configured<'automation' | 'dev' | 'walletOffers'>;

/**
 * Named users that are not onboarded yet are omitted.
 * @param wallets null: all wallets
 */
export function automationOf(
  server: AutomatedServer,
  state: LedgerState,
  wallets: readonly PartyId[] | null,
): AutomationConfig {
  const { peers, config } = server;
  const { automation } = config;
  return {
    dso: automation.dso ? DSO_DEFAULTS : null,
    superValidators: automation.dso
      ? (dsoRulesOf(state)?.svs ?? []).map(({ party: sv }) => ({ sv, beneficiaries: [] }))
      : [],
    validators: peers.map((peer) => ownAutomation(peer, server, state, wallets)),
    mergeOperators: automation.mergeDelegations
      ? peers.map(({ validator }) => ({ operator: validator, ...MERGE_DEFAULTS }))
      : [],
  };
}

function ownAutomation(
  { validator, participantId }: Peer,
  { peers, config: { automation, walletOffers, dev } }: AutomatedServer,
  state: LedgerState,
  wallets: readonly PartyId[] | null,
): ValidatorAutomation {
  const partyOf = (named: string): PartyId | null => {
    const party = PartyId.parse(named);
    if (party.ok) return party.value;
    const [install] = [{ validator }, ...peers].flatMap((peer) => installOf(state, peer.validator, named) ?? []);
    return install?.endUser ?? null;
  };
  const isHere = (party: PartyId): boolean => party === validator || hasWalletAt(state, validator, party);
  const { topUp } = automation;
  return {
    validator,
    memberId: participantId,
    wallets: wallets?.filter(isHere) ?? null,
    recordsLiveness: automation.rewards,
    collectsRewards: automation.rewards,
    completesOffers: true,
    mintsByDelegation: automation.mintingDelegations,
    sendsTransferCommands: true,
    renewsNames: true,
    topUp: topUp
      ? {
          targetThroughput: topUp.targetThroughput,
          minTopupInterval: Duration.seconds(topUp.minTopupIntervalSeconds),
          pollingInterval: Duration.seconds(automation.pollSeconds),
          tap: topUp.tapsAlways ? 'always' : 'when-lacking',
        }
      : null,
    preapprovals: automation.preapprovals
      ? { ...PREAPPROVAL_DEFAULTS, acceptsForeignReceivers: automation.foreignPreapprovals }
      : null,
    acceptsMergeDelegations: automation.acceptsMergeDelegations ?? dev,
    sweeps: Object.fromEntries(
      automation.sweeps.flatMap(({ sender, receiver, maxBalanceUSD, minBalanceUSD, useTransferPreapproval }) => {
        const [from, to] = [partyOf(sender), partyOf(receiver)];
        if (!from || !to) return [];
        const limits = { maxBalanceUSD: Amount.of(maxBalanceUSD), minBalanceUSD: Amount.of(minBalanceUSD) };
        return [[from, { receiver: to, useTransferPreapproval, ...limits }]];
      }),
    ),
    walletOffers,
    autoAccept: Object.fromEntries(
      automation.autoAccept.flatMap(({ receiver, fromParties }) => {
        const to = partyOf(receiver);
        const from = fromParties.map(partyOf).filter((party) => party !== null);
        const instructions = automation.autoAcceptsInstructions ? 'all' : walletOffers === 'locked' ? 'wallet' : 'none';
        return to ? [[to, { fromParties: from, instructions }]] : [];
      }),
    ),
    clockSkewGrace: DSO_DEFAULTS.clockSkewGrace,
  };
}
