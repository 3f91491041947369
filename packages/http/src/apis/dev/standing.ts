import { Instant, type LedgerState } from '@coinlab/core';
import { openRoundsOf } from '@coinlab/core/views';
import { z } from '@hono/zod-openapi';
import type { Host } from '../../host/host.js';

export const standing = z
  .object({
    offset: z.number().int(),
    time: z.string(),
    rounds: z.array(z.number().int()).describe('Open rounds, oldest first.'),
  })
  .openapi('DevStanding');

export function standingOf({
  state,
  host,
}: {
  readonly state: LedgerState;
  readonly host: Pick<Host, 'now'>;
}): z.output<typeof standing> {
  const rounds = openRoundsOf(state).map(({ round }) => Number(round));
  return { offset: state.offset, time: Instant.format(host.now()), rounds };
}
