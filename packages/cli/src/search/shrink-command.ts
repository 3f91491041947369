import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { LAWS, updateOf, type Law } from '@coinlab/core';
import {
  breaking,
  LawWatch,
  PaymentRows,
  setupOf,
  scenarioToBreak,
  shrinkRows,
  shrunkFiles,
  writeFiles,
  type Breach,
  type Demand,
  type PaymentRow,
  type SearchSetup,
  type Shrunk,
} from '@coinlab/lab';
import { Census, METRICS, PARTIES, scenarioOf, type OwnPolicies, type Scenario } from '@coinlab/sim';
import { BadInput } from '../exit-code.js';
import { eachEntryShown } from '../log/source-progress.js';
import { playedScenario, type PlayedFlags } from '../played-scenario.js';
import { progressOf } from '../progress.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { withWalletFlags } from '../wallet-flags.js';

export interface ShrinkFlags extends PlayedFlags {
  readonly law?: string;
  readonly threshold?: string;
  readonly policy?: string;
  readonly merge?: string;
  readonly group?: string;
  readonly budget: number;
  readonly out: string;
  readonly json?: true;
  readonly quiet?: true;
}

export async function shrinkCommand(source: string, flags: ShrinkFlags, terminal: Terminal): Promise<void> {
  if ((flags.law === undefined) === (flags.threshold === undefined))
    throw new BadInput(
      "--law or --threshold: expected exactly one of them, for example --law any or --threshold 'utxosPerParty.max <= 10'",
    );
  const shown = { ...terminal, isInteractive: terminal.isInteractive && !flags.quiet };
  const laws = flags.law === undefined ? [] : lawsNamed(flags.law);
  const read = await readLog(source, laws, shown);
  const { breach } = read;
  if (flags.law !== undefined && !breach)
    throw new BadInput(
      `${source}: ${flags.law === 'any' ? 'no law is broken' : `the law '${flags.law}' is not broken`}`,
    );
  const demand: Demand =
    flags.threshold === undefined
      ? { what: 'law', laws: laws.filter(({ name }) => name === breach?.law) }
      : demandOf(flags.threshold);
  const { setup, policies } = await wallets(read.census, flags);
  const shrunk = shrunkShown(read.rows, setup, policies, demand, flags, shown);
  if (!shrunk) throw new NotSeenAgain(notSeenAgain(source, demand, breach, read.rows.length));
  const made = scenarioToBreak(setup, shrunk.rows, demand);
  mkdirSync(flags.out, { recursive: true });
  const others = shrunkFiles(made, demand);
  writeFiles(flags.out, new Map(), { formats: [], others });
  terminal.out(
    flags.json
      ? `${JSON.stringify(asJson(read.rows, shrunk, breach, flags))}\n`
      : asText(read.rows, shrunk, breach, flags, made.files.get('payments.csv')?.text ?? ''),
  );
}

interface ReadLog {
  readonly rows: readonly PaymentRow[];
  readonly census: Census;
  readonly breach: Breach | null;
}

async function readLog(source: string, laws: readonly Law[], terminal: Terminal): Promise<ReadLog> {
  const payments = new PaymentRows();
  const census = new Census();
  const watch = new LawWatch(laws);
  await eachEntryShown(source, 'read', terminal, census.state, (entry) => {
    const update = updateOf(entry);
    census.take(update);
    payments.take(update);
    watch.take(update);
    // Later updates cannot cause the violation.
    return watch.first === null;
  });
  return { rows: payments.rows, census, breach: watch.first };
}

async function wallets(
  census: Census,
  flags: ShrinkFlags,
): Promise<{ readonly setup: SearchSetup; readonly policies: OwnPolicies }> {
  const played = await playedScenario(flags);
  const scenario = played?.scenario ?? ofLog(census);
  const policies = played?.policies ?? {};
  const { policy, merge, group } = flags;
  const told = withWalletFlags(
    scenario,
    { ...(policy !== undefined && { policy }), ...(merge !== undefined && { merge }) },
    policies,
  );
  try {
    const setup = setupOf(told, group ?? null);
    const file = played && setup.policies !== null ? resolve(played.folder, setup.policies) : null;
    return {
      setup: { ...setup, policies: file === null ? null : relative(resolve(flags.out), file) },
      policies,
    };
  } catch (error) {
    throw error instanceof RangeError ? new BadInput(error.message) : error;
  }
}

function ofLog(census: Census): Scenario {
  const measured = census.measured(1);
  const made = scenarioOf({ name: 'log', duration: { rounds: 1 }, parties: [{ name: PARTIES, count: 1 }] });
  if (!measured || !made.ok) throw new BadInput('the log ends before its first round opens');
  return { ...made.value, network: measured.network };
}

function shrunkShown(
  rows: readonly PaymentRow[],
  setup: SearchSetup,
  policies: OwnPolicies,
  demand: Demand,
  { budget }: ShrinkFlags,
  { isInteractive }: Terminal,
): Shrunk | null {
  const progress = progressOf('shrink', budget, isInteractive, 'runs');
  try {
    return shrinkRows(rows, breaking(setup, policies, demand), {
      budget,
      onProgress: (asked, fewest) => progress.update(asked, `${grouped(fewest)} rows`),
    });
  } finally {
    progress.end();
  }
}

function lawsNamed(name: string): readonly Law[] {
  if (name === 'any') return LAWS;
  const found = LAWS.filter((law) => law.name === name);
  if (found.length === 0)
    throw new BadInput(
      `--law: got '${name}', expected any or a name of docs/reference/laws.md, such as '${LAWS[0]?.name}'`,
    );
  return found;
}

function demandOf(text: string): Demand {
  const [, metric = '', demand = ''] = /^\s*(\S+)\s*((?:<=|<|>=|>|==)\s*-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (!METRICS.some(({ name }) => name === metric))
    throw new BadInput(
      `--threshold: got '${text}', expected a metric of all parties and a comparison, such as 'utxosPerParty.max <= 10'`,
    );
  return { what: 'threshold', metric, demand: demand.replace(/\s+/, ' ') };
}

class NotSeenAgain extends Error {
  readonly code = 'NOT_SEEN_AGAIN';
}

function notSeenAgain(source: string, demand: Demand, breach: Breach | null, rows: number): string {
  const again = `when its ${grouped(rows)} payments are repeated`;
  return demand.what === 'threshold'
    ? `${source}: ${demand.metric} ${demand.demand} holds ${again}; check --scenario, --group, --policy and --merge`
    : `${source}: offset ${breach?.offset} (${breach?.kind}) breaks the law '${breach?.law}', which this version keeps ${again}: the log comes from another ledger or was modified`;
}

function asJson(
  before: readonly PaymentRow[],
  { rows, asked, isMinimal }: Shrunk,
  breach: Breach | null,
  { out }: ShrinkFlags,
): unknown {
  return { before: before.length, rows: rows.length, asked, isMinimal, breach, out };
}

function asText(
  before: readonly PaymentRow[],
  { rows, asked, isMinimal }: Shrunk,
  breach: Breach | null,
  { out }: ShrinkFlags,
  text: string,
): string {
  const found = breach ? `'${breach.law}' is broken at offset ${grouped(breach.offset)} by ${breach.kind}\n` : '';
  const why = isMinimal ? 'a minimal set' : 'the smallest set within the budget';
  return `${found}${grouped(before.length)} payments reduced to ${grouped(rows.length)}, ${why}, by ${grouped(asked)} repetitions

${text}
coinlab run ${join(out, 'scenario.yaml')}
npx vitest run ${out}
`;
}
