import { faults } from '../gates/faults.js';
import { Refusals } from '../gates/refusals.js';
import type { followHistory } from '../network/follow-history.js';
import { Tail } from '../host/tail.js';
import { DevControl, type DevControlNeeds } from '../network/dev-control.js';
import { momentsOf } from './moments.js';
import type { World } from './world.js';

interface Parts extends Pick<World, 'host' | 'automation' | 'ending' | 'salt'> {
  readonly clock: World['tokenClock'];
  readonly log: DevControlNeeds['log'] | null;
  readonly indexes: ReturnType<typeof followHistory>;
}

export function liveWorld({ host, automation, clock, indexes, salt, ending, log }: Parts): World {
  const ledger: Omit<World, 'moments'> = {
    ...indexes,
    get state() {
      return host.state;
    },
    startedAt: clock.now(),
    now: () => clock.now(),
    host,
    automation,
    faults: faults(ending),
    refusals: new Refusals(),
    tail: new Tail(host, ending),
    salt,
    control: new DevControl({ host, automation, history: indexes.history, ...(log && { log }) }),
    tokenClock: clock,
    ending,
  };
  return Object.assign(ledger, { moments: momentsOf(ledger) });
}
