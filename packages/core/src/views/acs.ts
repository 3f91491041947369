import { stakeholdersOf, TEMPLATES, TEMPLATE_NAMES, type Contract, type TemplateName } from '../contracts/contract.js';
import type { Holding } from '../contracts/holding.js';
import {
  contractsOf,
  heldLockedBy,
  holdingsOf,
  lockedHoldingsOf,
  lockedTotalOf,
  openRoundsOf,
  scanContracts,
  settingsOf,
  unlockedTotalOf,
  type LedgerState,
} from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { PartyId } from '../kernel/ids.js';
import type { Round } from '../kernel/time.js';
import { accruedFee } from '../rules/fees.js';

/** Templates to include; default: all. */
export interface AcsFilter {
  readonly templates?: readonly TemplateName[];
}

/**
 * Returns the active contracts with a party as signatory or observer, in order of creation, without records. Costs as
 * much as the result; for the DSO, which signs every coin, that is the whole state.
 * Source: specification §1 (ACS); the snapshot of scan.
 */
export function acsOf(state: LedgerState, party: PartyId, filter: AcsFilter = {}): readonly Contract[] {
  const { dso } = settingsOf(state);
  if (party === dso) return scanAcs(state, filter).filter((contract) => stakeholdersOf(contract, dso).includes(dso));
  const contracts = templatesOf(filter).flatMap((template): readonly Contract[] =>
    template === 'Holding' ? holdingsSeenBy(state, party) : [...contractsOf(state, template, party)],
  );
  return contracts.sort((a, b) => a.id - b.id);
}

/** Returns all active contracts of the network's templates in order of creation. Reads the whole state. */
export function scanAcs(state: LedgerState, filter: AcsFilter = {}): readonly Contract[] {
  const templates = new Set<TemplateName>(templatesOf(filter));
  const contracts: Contract[] = [];
  for (const contract of scanContracts(state)) if (templates.has(contract.template)) contracts.push(contract);
  return contracts;
}

/** Holdings of an owner, with the holding fees accrued by a round. Source: specification §9.4. */
export interface HoldingsSummary {
  readonly owner: PartyId;
  readonly unlocked: Amount;
  readonly locked: Amount;
  /** Unlocked and locked. */
  readonly total: Amount;
  readonly feesUnlocked: Amount;
  readonly feesLocked: Amount;
  /** Unlocked and locked. */
  readonly feesTotal: Amount;
  /**
   * Unlocked coin minus its accrued fees, in every profile. Where transfers deduct no holding fee, more than this can
   * be spent.
   */
  readonly available: Amount;
  readonly asOfRound: Round;
}

/**
 * Returns the holdings of an owner as of a round; default: the oldest open round.
 * @returns null without an open round
 * Source: specification §9.4; the holdings summary of scan.
 */
export function holdingsSummaryOf(
  state: LedgerState,
  owner: PartyId,
  round: Round | null = openRoundsOf(state)[0]?.round ?? null,
): HoldingsSummary | null {
  if (round === null) return null;
  const unlocked = unlockedTotalOf(state, owner);
  const locked = lockedTotalOf(state, owner);
  const feesUnlocked = feesOf(holdingsOf(state, owner, 'oldest'), round);
  const feesLocked = feesOf(lockedHoldingsOf(state, owner), round);
  return {
    owner,
    unlocked,
    locked,
    total: Amount.add(unlocked, locked),
    feesUnlocked,
    feesLocked,
    feesTotal: Amount.add(feesUnlocked, feesLocked),
    available: Amount.sub(unlocked, feesUnlocked),
    asOfRound: round,
  };
}

function feesOf(holdings: Iterable<Holding>, round: Round): Amount {
  return Amount.sum(Array.from(holdings, (holding) => accruedFee(holding, round)));
}

function templatesOf({ templates = TEMPLATE_NAMES }: AcsFilter): readonly TemplateName[] {
  return TEMPLATE_NAMES.filter((name) => templates.includes(name) && !TEMPLATES[name].isRecord);
}

function holdingsSeenBy(state: LedgerState, party: PartyId): readonly Holding[] {
  return [...holdingsOf(state, party, 'oldest'), ...lockedHoldingsOf(state, party), ...heldLockedBy(state, party)];
}
