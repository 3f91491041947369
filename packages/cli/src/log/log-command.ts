import { statSync } from 'node:fs';
import { Engine } from '@coinlab/core';
import {
  fingerprintOf,
  nodeDisk,
  readLog,
  readSnapshot,
  snapshotNames,
  isPostgresAddress,
  parsePostgresAddress,
  readPostgresLog,
  type Head,
  type Recovery,
  type StoreRefusal,
} from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';

export function describeStoreRefusal(refusal: StoreRefusal, folder: string): string {
  switch (refusal.code) {
    case 'DAMAGED': {
      const { file, byte, offset, reason } = refusal.damage;
      const position = `${folder}: damaged in ${file} at byte ${byte}, offset ${offset}: ${reason}`;
      return `${position}; coinlab log repair ${folder} OUT writes what is intact to a new folder`;
    }
    case 'LOCKED': {
      const { pid, host, since } = refusal.owner;
      const owner = pid === null ? 'another process owns' : `process ${pid} on ${host} has owned since ${since}`;
      return `${folder}: ${owner} this log; stop it first, or read the log with coinlab log copy`;
    }
    case 'CONFLICT':
      return `${folder}: the log ends at offset ${refusal.head}, not at ${refusal.expected}`;
    case 'WRITE_FAILED':
    case 'STANDBY':
    case 'STOPPED':
    case 'UNREADABLE':
      return `${folder}: ${refusal.reason}`;
  }
}

export async function logVerifyCommand(folder: string, terminal: Terminal): Promise<void> {
  const engine = new Engine();
  const snapshots = isPostgresAddress(folder) ? await snapshotsInDatabase(folder) : await snapshotsIn(folder);
  const wrong = new Set(snapshots);
  const { offset, hash } = await readToTerminal(folder, terminal, {
    onUpdate(update) {
      engine.apply(update);
      for (const snapshot of snapshots)
        if (snapshot.offset === update.offset && snapshot.stateHash === fingerprintOf(engine.state))
          wrong.delete(snapshot);
    },
  });
  terminal.out(`${grouped(offset)} updates verified\nhead   ${hash}\nstate  ${engine.hash()}\n`);
  for (const snapshot of snapshots.filter((one) => !wrong.has(one)))
    terminal.out(`snapshot at offset ${grouped(snapshot.offset)} matches the log\n`);
  const [first] = wrong;
  if (first)
    throw new BadInput(
      `${shownLog(folder)}: ${first.file}: ${first.fault}; the server ignores it and you can delete it`,
    );
}

export async function logHeadCommand(folder: string, terminal: Terminal): Promise<void> {
  let snapshot: number | null = null;
  const head = await readToTerminal(folder, terminal, { onSnapshot: ({ offset }) => (snapshot = offset) });
  terminal.out(`${JSON.stringify({ ...head, snapshot })}\n`);
}

async function readToTerminal(source: string, terminal: Terminal, recovery: Recovery): Promise<Head> {
  return readKeptLog(source, { ...recovery, onNote: (note) => terminal.err(`coinlab: ${note}\n`) });
}

export function shownLog(source: string): string {
  if (!isPostgresAddress(source)) return source;
  const address = parsePostgresAddress(source);
  if (!address.ok) throw new BadInput(address.error);
  return address.value.shown;
}

export async function readKeptLog(
  source: string,
  options: Recovery & { readonly onNote?: (note: string) => void },
): Promise<Head> {
  if (!isPostgresAddress(source)) refuseFile(source);
  const read = await (isPostgresAddress(source)
    ? readPostgresLog({ address: source, ...options })
    : readLog({ folder: source, ...options }));
  if (!read.ok) throw new BadInput(describeStoreRefusal(read.error, shownLog(source)));
  return read.value;
}

export function refuseFile(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isFile()) return;
  const others = `coinlab state ${folder} checks a file, and coinlab serve --from ${folder} serves it`;
  throw new BadInput(`${folder}: got a file, expected the folder of a server's log; ${others}`);
}

async function snapshotsInDatabase(address: string): Promise<readonly ClaimedSnapshot[]> {
  const claimed: ClaimedSnapshot[] = [];
  await readPostgresLog({
    address,
    onStoredSnapshot(offset, read) {
      const fault = read.ok ? 'the log does not lead to this state' : read.error;
      const stateHash = read.ok ? read.value.stateHash : null;
      claimed.push({ file: `snapshot at offset ${offset}`, offset, stateHash, fault });
    },
  });
  return claimed;
}

interface ClaimedSnapshot {
  readonly file: string;
  readonly offset: number;
  readonly stateHash: string | null;
  readonly fault: string;
}

async function snapshotsIn(folder: string): Promise<readonly ClaimedSnapshot[]> {
  const claimed: ClaimedSnapshot[] = [];
  const names = await snapshotNames(nodeDisk, folder).catch(() => []);
  for (const file of names.toReversed()) {
    const read = await readSnapshot(nodeDisk, folder, file);
    const fault = read.ok ? 'the log does not lead to this state' : read.error;
    const { head, stateHash } = read.ok ? read.value : { head: { offset: 0 }, stateHash: null };
    claimed.push({ file, offset: head.offset, stateHash, fault });
  }
  return claimed;
}
