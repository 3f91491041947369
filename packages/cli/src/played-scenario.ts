import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseManifest } from '@coinlab/sim';
import { BadInput, messageOf } from './exit-code.js';
import { completedSubject, subjectOf, type Subject } from './subject.js';

export interface PlayedFlags {
  readonly scenario?: string;
  readonly manifest?: string;
}

export interface Played extends Subject {
  readonly replicate: number;
}

export async function playedScenario({ scenario, manifest }: PlayedFlags): Promise<Played | null> {
  if (scenario !== undefined && manifest !== undefined)
    throw new BadInput('--scenario and --manifest: expected only one of them');
  if (manifest !== undefined) return ofManifest(manifest);
  return scenario === undefined ? null : { ...(await subjectOf(scenario)), replicate: 0 };
}

async function ofManifest(file: string): Promise<Played> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadInput(messageOf(error));
  }
  const manifest = parseManifest(text);
  if (!manifest.ok) throw new BadInput(`${file}: ${manifest.error}`);
  const { scenario, folder, runs } = manifest.value;
  return { ...(await completedSubject(scenario, resolve(dirname(file), folder))), replicate: runs[0]?.replicate ?? 0 };
}
