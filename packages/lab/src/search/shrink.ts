import { ddmin } from './ddmin.js';
import { partiesIn, type PaymentRow } from './payment-rows.js';

/** How long a shrinking goes. */
export interface ShrinkOptions {
  /** Times that payments may be made once more. */
  readonly budget: number;
  /** Told after every time, with the fewest rows so far. */
  readonly onProgress?: (asked: number, rows: number) => void;
}

/** The few rows that still break it. */
export interface Shrunk {
  readonly rows: readonly PaymentRow[];
  /** Times that payments were made once more. */
  readonly asked: number;
  /** Whether none of the rows can be left out; no: the budget was at its end. */
  readonly isMinimal: boolean;
}

/**
 * Cuts payments down to the few that still break something: first what comes after, then parties, then rows; at last they move into as few
 * rounds as can be, and come from outside where it does not matter who pays. None of the rows that are left can be left out; that no other
 * rows are fewer is not said. Null: the payments do not break it when they are made once more.
 */
export function shrinkRows(
  rows: readonly PaymentRow[],
  breaks: (rows: readonly PaymentRow[]) => boolean,
  { budget, onProgress = (): void => undefined }: ShrinkOptions,
): Shrunk | null {
  let asked = 0;
  let fewest = rows;
  const mayAsk = (): boolean => asked < budget;
  const ask = (tried: readonly PaymentRow[]): boolean => {
    asked += 1;
    const found = breaks(tried);
    if (found && tried.length < fewest.length) fewest = tried;
    onProgress(asked, fewest.length);
    return found;
  };
  if (!ask(rows)) return null;
  let kept = beginning(rows, ask, mayAsk);
  const all = kept;
  const parties = ddmin(partiesIn(all), (some) => ask(among(all, some)), { mayAsk });
  kept = ddmin(among(all, parties), ask, { mayAsk });
  // Fewer rows may not need as many rounds, and fewer rounds not as many rows.
  for (const simpler of [[together, closeUp], [fromOutside]]) {
    const moved = simpler.map((change) => change(kept)).find((tried) => mayAsk() && ask(tried));
    if (moved) kept = ddmin(moved, ask, { mayAsk });
  }
  return { rows: kept, asked, isMinimal: mayAsk() };
}

/** The shortest beginning that breaks it: half by half, as if every longer one did too. */
function beginning(
  rows: readonly PaymentRow[],
  breaks: (rows: readonly PaymentRow[]) => boolean,
  mayAsk: () => boolean,
): readonly PaymentRow[] {
  let [keeps, broken] = [0, rows.length];
  while (broken - keeps > 1 && mayAsk()) {
    const middle = (keeps + broken) >> 1;
    if (breaks(rows.slice(0, middle))) broken = middle;
    else keeps = middle;
  }
  return rows.slice(0, broken);
}

/** Rows that concern nobody else. */
function among(rows: readonly PaymentRow[], parties: readonly PaymentRow['to'][]): readonly PaymentRow[] {
  const some = new Set(parties);
  return rows.filter(({ from, to }) => some.has(to) && (from === null || some.has(from)));
}

/** All rows in one round. */
function together(rows: readonly PaymentRow[]): readonly PaymentRow[] {
  return rows.map((row) => ({ ...row, round: 0 }));
}

/** Coin that comes from outside, so that nobody has to have it first. */
function fromOutside(rows: readonly PaymentRow[]): readonly PaymentRow[] {
  return rows.map((row) => ({ ...row, from: null }));
}

/** No round without a row. */
function closeUp(rows: readonly PaymentRow[]): readonly PaymentRow[] {
  const rounds = [...new Set(rows.map(({ round }) => round))];
  return rows.map((row) => ({ ...row, round: rounds.indexOf(row.round) }));
}
