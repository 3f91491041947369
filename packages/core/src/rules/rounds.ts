import type { TransferConfig } from '../contracts/amulet-rules.js';
import type { ExternalPartyConfigState, OpenMiningRound } from '../contracts/rounds.js';
import { allOf, openRoundsOf, settingsOf, type LedgerState } from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok, type Result } from '../kernel/result.js';
import type { Instant, Round } from '../kernel/time.js';
import { inCoin } from './fees.js';

/** What a transfer needs to know of the round it happens in. */
export interface TransferRound {
  /** Round stamped on the coins it creates. */
  readonly round: Round;
  /** USD per coin. */
  readonly price: Amount;
  readonly configUsd: TransferConfig;
  /** The configuration in coin. */
  readonly config: TransferConfig;
  /** The open round that coupons are recorded for. */
  readonly open: OpenMiningRound;
}

/** The newest open round that is usable: `opensAt` not after now. Source: specification §6.2. */
export function newestUsableRound(state: LedgerState, now: Instant): OpenMiningRound | null {
  return openRoundsOf(state).findLast(({ opensAt }) => opensAt <= now) ?? null;
}

/** The open round in which a wallet flow (tap, burn, preapproval, merge) happens. Source: specification §5.2 step 1. Assumption: A-06. */
export function walletRound(state: LedgerState, now: Instant): Result<TransferRound, Rejected<'ROUND_NOT_OPEN'>> {
  const open = newestUsableRound(state, now);
  if (!open) return err({ code: 'ROUND_NOT_OPEN', opensAt: openRoundsOf(state)[0]?.opensAt ?? null, at: now });
  return ok(transferRoundOf(open));
}

/**
 * The round of a registry flow: as {@link walletRound}, but with config states the round, price and limits of the state made last.
 * Source: specification §0, §3.5.
 */
export function registryRound(state: LedgerState, now: Instant): Result<TransferRound, Rejected<'ROUND_NOT_OPEN'>> {
  const wallet = walletRound(state, now);
  if (!wallet.ok || !settingsOf(state).profile.usesConfigStates) return wallet;
  const latest = [...allOf(state, 'ExternalPartyConfigState')].at(-1);
  return latest ? ok({ ...configStateRound(latest), open: wallet.value.open }) : wallet;
}

// Converting a configuration is pure and the same for every transfer of a round, so it is done once per round contract.
const roundsSeen: WeakMap<OpenMiningRound, TransferRound> = new WeakMap();
const statesSeen: WeakMap<ExternalPartyConfigState, Omit<TransferRound, 'open'>> = new WeakMap();

function transferRoundOf(open: OpenMiningRound): TransferRound {
  let seen = roundsSeen.get(open);
  if (!seen) {
    const { round, amuletPrice: price, transferConfigUsd: configUsd } = open;
    seen = { round, price, configUsd, config: inCoin(configUsd, price), open };
    roundsSeen.set(open, seen);
  }
  return seen;
}

function configStateRound(state: ExternalPartyConfigState): Omit<TransferRound, 'open'> {
  let seen = statesSeen.get(state);
  if (!seen) {
    const { holdingFeesOpenRound: round, amuletPrice: price, transferConfigUsd: configUsd } = state;
    seen = { round, price, configUsd, config: inCoin(configUsd, price) };
    statesSeen.set(state, seen);
  }
  return seen;
}
