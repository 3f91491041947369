import { writeFileSync } from 'node:fs';
import { describeMalformed } from '@coinlab/core';
import { BadInput } from '../exit-code.js';
import type { Terminal } from '../terminal.js';

export const TOKEN_SYSTEMS = ['ledger', 'engine'] as const;

type TokenSystem = (typeof TOKEN_SYSTEMS)[number];

export interface ReplayTokenFlags {
  readonly system?: TokenSystem;
  readonly log?: string;
}

export async function replayTokenCommand(text: string, flags: ReplayTokenFlags, terminal: Terminal): Promise<void> {
  // Loaded on demand: the kit depends on fast-check, which no other command needs.
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

class FailureSeen extends Error {
  readonly code = 'FAILURE_SEEN';
}
