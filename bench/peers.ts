import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './measure.js';
import { installed, PROGRAMS, versionOf, type Peer } from './peers/installed.js';

/** The figures of a peer: another library for ledgers in tests, measured in a separate process. */
export interface PeerFigure {
  readonly name: string;
  readonly version: string;
  /** Null if the measurement failed; `how` then contains the reason. */
  readonly transfersPerSecond: number | null;
  /**
   * Milliseconds from the import of the peer's packages to the end of its first transfer, with its set-up;
   * the median of three processes.
   */
  readonly importToFirstMs: number | null;
  /** Options, counted operations, and work that the peer does and coinlab does not. */
  readonly how: string;
}

interface Row {
  readonly name: string;
  readonly of: Peer | 'coinlab';
  readonly args: readonly string[];
  readonly how: string;
}

const CORE = 'packages/core';
const PATIENCE = 180_000;
const STARTS = 3;

const rows = (): readonly Row[] => [
  ours('engine, 1,000 coins', '1000'),
  ours('engine, 100,000 coins', '100000'),
  ours('engine in numbers, 1,000 coins', '1000', 'numbers'),
  ours('engine in numbers, 100,000 coins', '100000', 'numbers'),
  {
    name: 'LiteSVM',
    of: 'litesvm',
    args: [],
    how: 'SOL between 16 accounts, as it comes: verifies signatures, runs a virtual machine; signed before the clock runs',
  },
  {
    name: 'LiteSVM, signatures off',
    of: 'litesvm',
    args: ['unverified'],
    how: 'the same with withSigverify(false): no signatures, a virtual machine',
  },
  {
    name: 'Hardhat (EDR)',
    of: 'hardhat',
    args: [],
    how: `ether between 20 accounts, eth_sendTransaction to its provider in process, automine: signs, runs a virtual machine, makes a block each${onOldNode()}`,
  },
  {
    name: 'Emmett, short streams',
    of: 'emmett',
    args: [],
    how: 'in memory, DeciderCommandHandler, one event a transfer, 100 streams of 1 to 10 events (an append counts all streams): no signatures, no virtual machine',
  },
  {
    name: 'Emmett, a long stream',
    of: 'emmett',
    args: ['long'],
    how: 'the same on one stream of 10,000 events, which each command reads',
  },
];

/**
 * Measures coinlab's engine and three peers one after another. Installs missing peers from npm. If a peer
 * fails, its figure contains the reason.
 * @param say receives progress messages
 */
export async function measurePeers(say: (text: string) => void): Promise<readonly PeerFigure[]> {
  const figures: PeerFigure[] = [];
  for (const row of rows()) {
    say(`${row.name} …`);
    figures.push(await figureOf(row));
  }
  return figures;
}

export function peerTable(figures: readonly PeerFigure[]): string {
  const shown = (value: number | null): string => (value === null ? '-' : Math.round(value).toLocaleString('en'));
  const lines = [
    ['what', 'version', 'transfers/s', 'ms to first', 'how'],
    ...figures.map((figure) => [
      figure.name,
      figure.version,
      shown(figure.transfersPerSecond),
      shown(figure.importToFirstMs),
      figure.how,
    ]),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0))) ?? [];
  const padded = lines.map((row) =>
    row
      .map((cell, column) =>
        [2, 3].includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${padded.join('\n')}\n${NOTES}\n`;
}

const NOTES = `Emulators verify signatures and run a virtual machine, which ours does not: it is the ledger's rules alone. "ms to first" is from import to
the first transfer in a fresh process, the start of Node left out, the median of ${STARTS}.`;

async function figureOf({ name, of, args, how }: Row): Promise<PeerFigure> {
  const version = of === 'coinlab' ? coreVersion() : versionOf(of);
  try {
    const program = of === 'coinlab' ? coinlab() : [installed(of)];
    const starts: number[] = [];
    // The first process is a warm-up: it reads the packages from disk.
    for (let i = 0; i <= STARTS; i++) {
      const { importToFirstMs } = await told([...program, ...args, 'start']);
      if (i > 0) starts.push(importToFirstMs);
    }
    const { transfersPerSecond } = await told([...program, ...args]);
    return { name, version, transfersPerSecond, importToFirstMs: median(starts), how };
  } catch (why) {
    const reason = why instanceof Error ? why.message : String(why);
    return { name, version, transfersPerSecond: null, importToFirstMs: null, how: `not measured: ${reason}` };
  }
}

interface Told {
  readonly importToFirstMs: number;
  readonly transfersPerSecond: number;
}

function told(command: readonly string[]): Promise<Told> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE });
  let printed = '';
  let complained = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr.on('data', (data: Buffer) => (complained += data.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const reason = /^\s*(?:\w*Error\b.*)$/m.exec(complained)?.[0].trim();
      if (code !== 0) reject(new Error(reason ?? `it ended with ${signal ?? code}`));
      else resolve(JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Told);
    });
  });
}

function ours(name: string, coins: string, ...more: readonly 'numbers'[]): Row {
  const from = !isBuilt() ? 'from its sources' : isStale() ? 'built, before its sources changed' : 'built';
  const what = more.length > 0 ? 'paid by wallet number' : 'a DirectTransfer with inputs chosen';
  const how = `core ${from}; ${what}, decided, logged (compact) and applied: no signatures, no virtual machine`;
  return { name: `coinlab ${name}`, of: 'coinlab', args: [coins, ...more], how };
}

function coreVersion(): string {
  return (JSON.parse(readFileSync(join(CORE, 'package.json'), 'utf8')) as { version: string }).version;
}

function coinlab(): readonly string[] {
  const program = join(PROGRAMS, 'coinlab.mjs');
  return isBuilt() ? [program] : ['--conditions=source', '--import=tsx', program];
}

function isBuilt(): boolean {
  return existsSync(join(CORE, 'dist/bundle/index.js'));
}

function isStale(): boolean {
  const built = statSync(join(CORE, 'dist/bundle/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(CORE, 'src'), { recursive: true, encoding: 'utf8' });
  return sources.some((file) => statSync(join(CORE, 'src', file)).mtimeMs > built);
}

/** Disables the warning of Hardhat, which requires a newer Node than ours. */
function onOldNode(): string {
  return Number(process.versions.node.split('.')[0]) < 22
    ? `; on Node ${process.versions.node}, older than it asks for`
    : '';
}

// Run only when this file is started directly, not when the benchmark imports it.
if (process.argv[1]?.endsWith('peers.ts'))
  process.stdout.write(peerTable(await measurePeers((text) => void process.stderr.write(`${text}\n`))));
