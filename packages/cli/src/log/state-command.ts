import { createHash } from 'node:crypto';
import {
  Amount,
  balanceOf,
  Engine,
  holdingsOf,
  Instant,
  PartyId,
  stateHash,
  supplyOf,
  utxoCountOf,
  type Holding,
  type LedgerState,
} from '@coinlab/core';
import { allOf, lockedHoldingsOf, openRoundsOf } from '@coinlab/core/views';
import { BadInput } from '../exit-code.js';
import { applied } from './source.js';
import { eachEntryShown } from './source-progress.js';
import { grouped, table } from '../table.js';
import type { Terminal } from '../terminal.js';

export interface StateFlags {
  readonly at?: number;
  readonly party?: string;
  readonly json?: true;
  readonly quiet?: true;
}

export async function stateCommand(source: string, flags: StateFlags, terminal: Terminal): Promise<void> {
  const engine = new Engine();
  const { at } = flags;
  const shown = { ...terminal, isInteractive: terminal.isInteractive && !flags.quiet };
  const apply = applied(engine, ({ offset }) => offset !== at);
  await eachEntryShown(source, 'state', shown, engine.state, apply);
  const { state } = engine;
  if (at !== undefined && state.offset < at) throw new BadInput(`--at ${at}: ${source} ends at offset ${state.offset}`);
  const ledger = ledgerFigures(state, stateHash(state, createHash('sha256')));
  if (flags.party === undefined) {
    const parties = partiesOf(state);
    terminal.out(flags.json ? `${JSON.stringify({ ...ledger, parties })}\n` : ledgerText(ledger, parties));
    return;
  }
  const party = partyNamed(flags.party, state);
  const wallet = { ...figuresOf(party, state), coins: coinsOf(party, state) };
  terminal.out(flags.json ? `${JSON.stringify({ ...ledger, party: wallet })}\n` : walletText(ledger, wallet));
}

interface LedgerFigures {
  readonly offset: number;
  readonly time: string;
  readonly openRounds: readonly number[];
  readonly supply: string;
  readonly minted: string;
  readonly burned: string;
  readonly stateHash: string;
}

interface PartyFigures {
  readonly party: string;
  readonly utxos: number;
  readonly unlocked: string;
  readonly locked: string;
  readonly total: string;
}

interface Coin {
  readonly contract: number;
  readonly amount: string;
  readonly createdIn: number;
  readonly isLocked: boolean;
}

function ledgerFigures(state: LedgerState, stateHash: string): LedgerFigures {
  const { supply, minted, burned } = supplyOf(state);
  return {
    offset: state.offset,
    time: Instant.format(state.time),
    openRounds: openRoundsOf(state).map(({ round }) => round),
    supply: Amount.format(supply),
    minted: Amount.format(minted),
    burned: Amount.format(burned),
    stateHash,
  };
}

function figuresOf(party: PartyId, state: LedgerState): PartyFigures {
  const { unlocked, locked, total } = balanceOf(state, party);
  return {
    party,
    utxos: utxoCountOf(state, party),
    unlocked: Amount.format(unlocked),
    locked: Amount.format(locked),
    total: Amount.format(total),
  };
}

function partiesOf(state: LedgerState): readonly PartyFigures[] {
  const found = Array.from(allOf(state, 'KnownParty'), ({ party }) => figuresOf(party, state));
  return found.sort((a, b) => b.utxos - a.utxos);
}

function coinsOf(party: PartyId, state: LedgerState): readonly Coin[] {
  return [...holdingsOf(state, party, 'oldest'), ...lockedHoldingsOf(state, party)].map(coinOf);
}

function coinOf({ id, amount, createdAt, lock }: Holding): Coin {
  return { contract: id, amount: Amount.format(amount), createdIn: createdAt, isLocked: lock !== null };
}

function partyNamed(text: string, state: LedgerState): PartyId {
  const whole = PartyId.parse(text);
  for (const { party } of allOf(state, 'KnownParty'))
    if (whole.ok ? party === whole.value : party.startsWith(`${text}::`)) return party;
  throw new BadInput(`--party ${text}: this party does not exist at offset ${state.offset}`);
}

const SHOWN = 20;

function ledgerText(ledger: LedgerFigures, parties: readonly PartyFigures[]): string {
  const more =
    parties.length > SHOWN ? `… and ${grouped(parties.length - SHOWN)} more parties; use --json for all\n` : '';
  const rows = table(
    [
      { title: 'party', cell: ({ party }) => party.split('::')[0] ?? party },
      { title: 'UTXOs', cell: ({ utxos }) => utxos },
      { title: 'unlocked', cell: ({ unlocked }) => short(unlocked) },
      { title: 'locked', cell: ({ locked }) => short(locked) },
    ],
    parties.slice(0, SHOWN),
  );
  return `${head(ledger)}\n${rows}${more}`;
}

function walletText(
  ledger: LedgerFigures,
  { coins, ...figures }: PartyFigures & { readonly coins: readonly Coin[] },
): string {
  const rows = table(
    [
      { title: 'coin', cell: ({ contract }) => contract },
      { title: 'amount', cell: ({ amount }) => short(amount) },
      { title: 'round', cell: ({ createdIn }) => createdIn },
      { title: 'locked', cell: ({ isLocked }) => (isLocked ? 'yes' : '') },
    ],
    coins,
  );
  const { party, utxos, total, locked } = figures;
  return `${head(ledger)}\n${party}: ${grouped(utxos)} UTXOs, ${short(total)} coin, ${short(locked)} of it locked\n\n${rows}`;
}

function short(decimal: string): string {
  return grouped(decimal.replace(/\.?0+$/, ''));
}

function head({ offset, time, openRounds, supply, minted, burned, stateHash }: LedgerFigures): string {
  return `offset  ${grouped(offset)}
time    ${time}
rounds  ${openRounds.join(', ')} open
supply  ${short(supply)} coin: ${short(minted)} minted, ${short(burned)} burned
state   ${stateHash}
`;
}
