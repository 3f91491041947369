import { faults } from '../gates/faults.js';
import type { followHistory } from '../network/follow-history.js';
import { Tail } from '../host/tail.js';
import { DevControl } from '../network/dev-control.js';
import { momentsOf } from './moments.js';
import type { World } from './world.js';

interface Parts extends Pick<World, 'host' | 'automation' | 'ending' | 'salt'> {
  readonly clock: World['tokenClock'];
  readonly indexes: ReturnType<typeof followHistory>;
}

/** Returns the world of a ledger that accepts commands, with fault injection, a tail and a control of its own. */
export function liveWorld({ host, automation, clock, indexes, salt, ending }: Parts): World {
  const ledger: Omit<World, 'moments'> = {
    ...indexes,
    get state() {
      return host.state;
    },
    now: () => clock.now(),
    host,
    automation,
    faults: faults(ending),
    tail: new Tail(host, ending),
    salt,
    control: new DevControl(host, automation),
    tokenClock: clock,
    ending,
  };
  return Object.assign(ledger, { moments: momentsOf(ledger) });
}
