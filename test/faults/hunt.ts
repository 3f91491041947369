/*
 * Runs one check of the kit in a copy of the core, with default settings, once from each seed.
 * Prints the results as a line of JSON:
 *
 *   node --conditions=source --import=tsx test/faults/hunt.ts KIT CHECK SEED,SEED
 */
import { pathToFileURL } from 'node:url';
import type * as Kit from '@coinlab/testing';
import type { CheckName } from './fault.ts';

/** The result of one check with one seed. */
export interface Catch {
  /** Null if the check passed. */
  readonly found: {
    readonly by: string;
    readonly what: string;
    readonly invariant: number | null;
    /** The commands after shrinking, as text. */
    readonly story: string;
    readonly commands: number;
    readonly token: string;
  } | null;
  /** Number of random sequences up to the failure, without those of shrinking. */
  readonly runs: number;
}

const [entry = '', check = 'ledger', seeds = '0'] = process.argv.slice(2);
const kit = (await import(pathToFileURL(entry).href)) as typeof Kit;

const CHECKS: Readonly<Record<CheckName, (seed: number) => Promise<{ readonly runs: number }>>> = {
  ledger: (chance) => kit.checkConformance({ system: kit.ledgerSystem(), seed: chance }),
  engine: (chance) => kit.checkConformance({ system: kit.engineSystem(), seed: chance }),
  automation: (chance) => kit.checkAutomation({ seed: chance }),
};

const catches: Catch[] = [];
for (const seed of seeds.split(',')) catches.push(await hunt(Number(seed)));
process.stdout.write(`${JSON.stringify(catches)}\n`);

async function hunt(seed: number): Promise<Catch> {
  try {
    const { runs } = await CHECKS[check as CheckName](seed);
    return { found: null, runs };
  } catch (error) {
    if (!(error instanceof kit.LedgerCheckFailure)) throw error;
    const { finding, story, token, runs } = error;
    return {
      found: { ...finding, story: kit.tellStory(story), commands: story.steps.length, token },
      runs,
    };
  }
}
