import { stakeholdersOf, TEMPLATES, TEMPLATE_NAMES, type Contract, type TemplateName } from '../contracts/contract.js';
import type { Holding } from '../contracts/holding.js';
import {
  allOf,
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
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Round } from '../kernel/time.js';
import { accruedFee } from '../rules/transfer/fees.js';

/** Filter for a list of contracts; without fields it includes all contracts. */
export interface AcsFilter {
  /** Templates to include; default: all. */
  readonly templates?: readonly TemplateName[];
  /** Only contracts created after the one with this id; default: all. */
  readonly after?: ContractId;
}

/**
 * Returns the active contracts with a party as signatory or observer, in order of creation, without records. Costs as
 * much as the result; for the DSO, which signs every coin, that is the whole state.
 * Source: specification §1 (ACS); the snapshot of scan.
 */
export function acsOf(state: LedgerState, party: PartyId, filter: AcsFilter = {}): readonly Contract[] {
  return [...eachInAcs(state, party, filter)];
}

/** Returns all active contracts of the network's templates in order of creation. Reads the whole state. */
export function scanAcs(state: LedgerState, filter: AcsFilter = {}): readonly Contract[] {
  return [...eachInAcs(state, null, filter)];
}

/**
 * Yields the contracts of {@link acsOf}, or of all parties when `party` is null. Reads each contract only when the
 * caller asks for the next one, also for the DSO or all parties.
 */
export function* eachInAcs(
  state: LedgerState,
  party: PartyId | null,
  filter: AcsFilter = {},
): Generator<Contract, void, undefined> {
  const { after = 0 } = filter;
  const { dso } = settingsOf(state);
  const templates = templatesOf(filter);
  if (party !== null && party !== dso) {
    const seen = templates.flatMap((template): readonly Contract[] =>
      template === 'Holding' ? holdingsSeenBy(state, party) : [...contractsOf(state, template, party)],
    );
    yield* inOrder(seen, after);
    return;
  }
  const isWanted = (contract: Contract): boolean => party === null || stakeholdersOf(contract, dso).includes(party);
  for (const contract of eachOf(state, templates, after)) if (isWanted(contract)) yield contract;
}

/** Reads the lists of the templates, which are much shorter than the state, unless coins are among them. */
function eachOf(state: LedgerState, templates: readonly TemplateName[], after: number): Iterable<Contract> {
  const others = templates.filter((template) => template !== 'Holding');
  if (others.length === templates.length)
    return inOrder(
      others.flatMap((template): readonly Contract[] => [...allOf(state, template)]),
      after,
    );
  return filtered(scanContracts(state, after + 1), new Set(templates));
}

function* filtered(
  contracts: Iterable<Contract>,
  templates: ReadonlySet<TemplateName>,
): Generator<Contract, void, undefined> {
  for (const contract of contracts) if (templates.has(contract.template)) yield contract;
}

function inOrder(contracts: readonly Contract[], after: number): readonly Contract[] {
  const left = after === 0 ? [...contracts] : contracts.filter(({ id }) => id > after);
  return left.sort((a, b) => a.id - b.id);
}

/** Holdings of an owner, with the holding fees accrued by a round. Source: specification §9.4. */
export interface HoldingsSummary {
  readonly owner: PartyId;
  readonly unlocked: Amount;
  readonly locked: Amount;
  /** Sum of the unlocked and locked coins. */
  readonly total: Amount;
  readonly feesUnlocked: Amount;
  readonly feesLocked: Amount;
  /** Accrued holding fees of the unlocked and locked coins. */
  readonly feesTotal: Amount;
  /** Unlocked coin minus its accrued fees, in every profile. Where transfers deduct no holding fee, more than this can be spent. */
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
