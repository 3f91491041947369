import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  differingRecords,
  hashesLines,
  lineHash,
  obstaclesTo,
  parseManifest,
  recordOf,
  type Manifest,
  type RunRecord,
} from '@coinlab/sim';
import { BadInput, Differs, messageOf } from '../exit-code.js';
import { playReplicate } from './replicates.js';
import { completedSubject, type Subject } from '../subject.js';
import type { Terminal } from '../terminal.js';

export interface RerunFlags {
  readonly force?: true;
  readonly files?: string;
  readonly quiet?: true;
}

export async function rerunCommand(file: string, flags: RerunFlags, terminal: Terminal): Promise<void> {
  const manifest = manifestIn(file);
  const folder = flags.files ?? resolve(dirname(file), manifest.folder);
  const subject = await completedSubject(manifest.scenario, folder);
  const obstacles = obstaclesTo(manifest, subject.inputs);
  if (obstacles.length > 0 && !flags.force)
    throw new BadInput(
      `${file}: this run cannot reproduce the same bytes:\n${obstacles.map((obstacle) => `  ${obstacle}\n`).join('')}use --force to run it anyway`,
    );
  const differing: string[] = [];
  for (const [i, recorded] of manifest.runs.entries()) {
    const label = `${manifest.scenario.name} ${i + 1}/${manifest.runs.length}`;
    const isShown = terminal.isInteractive && !flags.quiet;
    const found = rerun(subject, manifest, { replicate: recorded.replicate, label, isShown });
    const differences = differingRecords(recorded, found);
    const name = `replicate ${recorded.replicate}`;
    terminal.out(differences.length === 0 ? `✓ ${name}: identical\n` : `✗ ${name}: ${differences.join('; ')}\n`);
    if (differences.length > 0) differing.push(name);
  }
  if (differing.length > 0) throw new Differs(`${differing.join(', ')}: differs from the manifest`);
}

function rerun(
  subject: Subject,
  manifest: Manifest,
  options: { readonly replicate: number; readonly label: string; readonly isShown: boolean },
): RunRecord {
  if (!hashesLines(manifest)) return recordOf(playReplicate(subject, options));
  const segments: Uint8Array[] = [];
  const record = recordOf(playReplicate(subject, { ...options, log: (segment) => segments.push(segment) }));
  return { ...record, logHash: lineHash(segments) };
}

function manifestIn(file: string): Manifest {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadInput(`${file}: cannot be read: ${messageOf(error)}`);
  }
  const manifest = parseManifest(text);
  if (!manifest.ok) throw new BadInput(`${file}: ${manifest.error}`);
  return manifest.value;
}
