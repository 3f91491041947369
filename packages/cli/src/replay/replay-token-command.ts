import { writeFileSync } from 'node:fs';
import { describeMalformed } from '@coinlab/core';
import { BadInput } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

/** The forms of our ledger that a token can be played against. */
export const TOKEN_SYSTEMS = ['ledger', 'engine'] as const;

type TokenSystem = (typeof TOKEN_SYSTEMS)[number];

/** Flags of `coinlab replay-token`. */
export interface ReplayTokenFlags {
  /** Left out: the one that the token names, else the ledger. */
  readonly system?: TokenSystem;
  readonly log?: string;
}

/** `coinlab replay-token TOKEN`: plays the commands of a failure again and tells what is wrong; throws when something still is. */
export async function replayTokenCommand(text: string, flags: ReplayTokenFlags, terminal: Terminal): Promise<void> {
  // The kit brings fast-check along, which no other command needs.
  const kit = await import('@coinlab/testing');
  const token = kit.parseReplayToken(text);
  if (!token.ok) throw new BadInput(describeMalformed(token.error));
  const { system: failed } = token.value;
  const name = flags.system ?? TOKEN_SYSTEMS.find((system) => system === failed) ?? 'ledger';
  if (name !== failed && failed !== kit.AUTOMATION)
    terminal.err(`coinlab: the token comes from ${failed}; replaying against ${name}\n`);
  const obstacle = kit.replayObstacle(token.value, {});
  if (obstacle !== null) throw new BadInput(obstacle);
  const story = await kit.replayToken(token.value, {
    system: name === 'engine' ? kit.engineSystem() : kit.ledgerSystem(),
  });
  if (flags.log !== undefined) writeFileSync(flags.log, kit.logOf(story));
  terminal.out(`${kit.tellStory(story)}\n`);
  if (story.finding) throw new FailureSeen(`the failure still occurs, found by the ${story.finding.by}`);
}

/** What the token tells of still happens. Its message says it all. */
class FailureSeen extends Error {
  readonly code = 'FAILURE_SEEN';
}
