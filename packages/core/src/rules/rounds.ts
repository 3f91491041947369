import type { TransferConfig } from '../contracts/amulet-rules.js';
import type {
  ClosedMiningRound,
  ExternalPartyConfigState,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from '../contracts/rounds.js';
import {
  allOf,
  keepTerms,
  lastTermsOf,
  newestUsableRound,
  openRoundsOf,
  settingsOf,
  type LedgerState,
} from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok, type Ok, type Result } from '../kernel/result.js';
import { Instant, type Round } from '../kernel/time.js';
import { inCoin, isFree } from './transfer/fees.js';

export { newestUsableRound };

/** The round that prices a transfer, with its limits and fees in USD and in coin. */
export interface TransferRound {
  readonly round: Round;
  readonly price: Amount;
  readonly configUsd: TransferConfig;
  readonly config: TransferConfig;
  readonly isFree: boolean;
  readonly open: OpenMiningRound;
}

/** Returns whether an open round has opened and is not past its target close: wallet SDKs act in such a round and fail without one. */
export function hasCurrentRound(state: LedgerState, now: Instant): boolean {
  return openRoundsOf(state).some(({ opensAt, targetClosesAt }) => opensAt <= now && now < targetClosesAt);
}

/** Returns the named round or, without a number, the newest usable round. Source: specification §6.2, §6.7. */
export function usableRound(
  state: LedgerState,
  named: Round | undefined,
  now: Instant,
): Result<OpenMiningRound, Rejected<'CONTRACT_NOT_FOUND' | 'ROUND_NOT_OPEN'>> {
  const rounds = openRoundsOf(state);
  const round =
    named === undefined ? (newestUsableRound(state, now) ?? rounds[0]) : rounds.find((open) => open.round === named);
  if (!round) {
    return named === undefined
      ? err({ code: 'ROUND_NOT_OPEN', opensAt: null, at: now })
      : err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted: `the OpenMiningRound ${named}` });
  }
  return round.opensAt <= now ? ok(round) : err({ code: 'ROUND_NOT_OPEN', opensAt: round.opensAt, at: now });
}

/** Returns when the open rounds may be advanced; null before bootstrap. Source: specification §6.3. */
export function earliestAdvance(state: LedgerState): Instant | null {
  const [oldest, middle, newest] = openRoundsOf(state);
  if (!oldest || !middle || !newest) return null;
  return Instant.later(
    Instant.later(oldest.targetClosesAt, newest.opensAt),
    Instant.plus(middle.opensAt, middle.tickDuration),
  );
}

/** Returns the rounds whose issuing can be started, in ascending order. Source: specification §6.4. */
export function summarizingRounds(state: LedgerState): readonly SummarizingMiningRound[] {
  return [...allOf(state, 'SummarizingMiningRound')].sort(byRound);
}

/** Returns the issuing rounds that can be closed, in ascending order. Source: specification §6.5. */
export function closableRounds(state: LedgerState, now: Instant): readonly IssuingMiningRound[] {
  return [...allOf(state, 'IssuingMiningRound')].filter(({ targetClosesAt }) => targetClosesAt <= now).sort(byRound);
}

/** Returns the closed rounds, in ascending order: their coupons can be expired; without coupons they can be archived. Source: specification §6.5. */
export function closedRounds(state: LedgerState): readonly ClosedMiningRound[] {
  return [...allOf(state, 'ClosedMiningRound')].sort(byRound);
}

/** Returns the open round of wallet flows (tap, burn, preapproval, merge). Source: specification §5.2 step 1. Assumption: A-06. */
export function walletRound(state: LedgerState, now: Instant): Result<TransferRound, Rejected<'ROUND_NOT_OPEN'>> {
  const last = lastTermsOf<Ok<TransferRound>>(state, now);
  if (last) return last;
  const open = newestUsableRound(state, now);
  if (!open) return err({ code: 'ROUND_NOT_OPEN', opensAt: openRoundsOf(state)[0]?.opensAt ?? null, at: now });
  const terms = termsOf(open, open);
  keepTerms(state, now, terms);
  return terms;
}

/**
 * Returns the round of a registry flow: as {@link walletRound}, but with config states the round, price and limits of
 * the newest state.
 * Source: specification §0, §3.5.
 */
export function registryRound(state: LedgerState, now: Instant): Result<TransferRound, Rejected<'ROUND_NOT_OPEN'>> {
  const wallet = walletRound(state, now);
  if (!wallet.ok || !settingsOf(state).profile.usesConfigStates) return wallet;
  const latest = [...allOf(state, 'ExternalPartyConfigState')].at(-1);
  return latest ? termsOf(latest, wallet.value.open) : wallet;
}

function byRound(a: { readonly round: Round }, b: { readonly round: Round }): number {
  return a.round - b.round;
}

// The conversion is pure and the same for every transfer of a round, so it is cached.
const seen: WeakMap<OpenMiningRound | ExternalPartyConfigState, Ok<TransferRound>> = new WeakMap();

function termsOf(from: OpenMiningRound | ExternalPartyConfigState, open: OpenMiningRound): Ok<TransferRound> {
  let terms = seen.get(from);
  if (terms?.value.open !== open) {
    const { amuletPrice: price, transferConfigUsd: configUsd } = from;
    const round = from.template === 'OpenMiningRound' ? from.round : from.holdingFeesOpenRound;
    const config = inCoin(configUsd, price);
    terms = ok({ round, price, configUsd, config, isFree: isFree(config), open });
    seen.set(from, terms);
  }
  return terms;
}
