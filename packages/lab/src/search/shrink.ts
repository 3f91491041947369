import { ddmin } from './ddmin.js';
import { partiesIn, type PaymentRow } from './payment-rows.js';

/** Limits and callbacks of a minimisation. */
export interface ShrinkOptions {
  readonly budget: number;
  /** Called after every simulation, with the smallest number of failing rows so far. */
  readonly onProgress?: (asked: number, rows: number) => void;
}

/** A minimised list of payments. */
export interface Shrunk {
  readonly rows: readonly PaymentRow[];
  readonly asked: number;
  /** False when the budget ended before every row was proven necessary. */
  readonly isMinimal: boolean;
}

/**
 * Minimises payments that violate a condition. Removes the tail, then parties, then rows; then moves rows to fewer rounds and
 * replaces senders by minting where this still fails. Every remaining row is necessary, but a smaller set of other rows may
 * exist. Returns null when the payments do not violate the condition again.
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
  // Fewer rows may need fewer rounds, and fewer rounds fewer rows.
  for (const simpler of [[together, closeUp], [fromOutside]]) {
    const moved = simpler.map((change) => change(kept)).find((tried) => mayAsk() && ask(tried));
    if (moved) kept = ddmin(moved, ask, { mayAsk });
  }
  return { rows: kept, asked, isMinimal: mayAsk() };
}

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

function among(rows: readonly PaymentRow[], parties: readonly PaymentRow['to'][]): readonly PaymentRow[] {
  const some = new Set(parties);
  return rows.filter(({ from, to }) => some.has(to) && (from === null || some.has(from)));
}

function together(rows: readonly PaymentRow[]): readonly PaymentRow[] {
  return rows.map((row) => ({ ...row, round: 0 }));
}

function fromOutside(rows: readonly PaymentRow[]): readonly PaymentRow[] {
  return rows.map((row) => ({ ...row, from: null }));
}

function closeUp(rows: readonly PaymentRow[]): readonly PaymentRow[] {
  const rounds = [...new Set(rows.map(({ round }) => round))];
  return rows.map((row) => ({ ...row, round: rounds.indexOf(row.round) }));
}
