import { AsyncLocalStorage } from 'node:async_hooks';
import type { Faults } from '../gates/faults.js';
import type { Refusals } from '../gates/refusals.js';
import type { LedgerView } from '../history/ledger-view.js';
import type { PartyUpdates } from '../history/party-updates.js';
import type { UserSubmissions } from '../history/user-submissions.js';
import type { WalletIndex } from '../history/wallet-index.js';
import type { Clock } from '../host/clock.js';
import type { Host } from '../host/host.js';
import type { Tail } from '../host/tail.js';
import type { ContractId, Instant } from '@coinlab/core';
import type { AutomationDriver } from '../network/automation-driver.js';
import type { DevControl } from '../network/dev-control.js';

export interface Moments {
  at(moment: string): Promise<World>;
}

/** A ledger that the APIs serve: the server's own, its state at an earlier offset, or a fork. */
export interface World extends Omit<LedgerView, 'own'> {
  readonly host: Host;
  readonly wallets: WalletIndex;
  readonly ofParties: PartyUpdates;
  readonly submissions: UserSubmissions;
  readonly tail: Tail;
  readonly inTransit: Set<ContractId>;
  readonly automation: AutomationDriver;
  readonly control: DevControl;
  readonly faults: Faults;
  readonly refusals: Refusals;
  readonly salt: () => string;
  readonly moments: Moments;
  readonly ending: AbortSignal;
  readonly startedAt: Instant;
  readonly tokenClock: Clock;
}

interface Visit {
  readonly world: World;
  readonly path: string;
}

export class CurrentWorld {
  readonly #current: AsyncLocalStorage<Visit> = new AsyncLocalStorage();

  run<Value>(visit: Visit, work: () => Value): Value {
    return this.#current.run(visit, work);
  }

  get world(): World {
    return this.#visit.world;
  }

  get path(): string {
    return this.#visit.path;
  }

  get #visit(): Visit {
    const visit = this.#current.getStore();
    if (!visit) throw new Error('this app answers requests in a world only');
    return visit;
  }
}

/** Apps are made once for all worlds, so a part is looked up at each use. */
export function partsOf(current: CurrentWorld): World & Pick<LedgerView, 'own'> {
  const part = <Name extends ObjectPart>(name: Name): World[Name] => delegate(() => current.world[name]);
  return {
    get state() {
      return current.world.state;
    },
    get startedAt() {
      return current.world.startedAt;
    },
    now: () => current.world.now(),
    salt: () => current.world.salt(),
    host: part('host'),
    history: part('history'),
    created: part('created'),
    wallets: part('wallets'),
    ofParties: part('ofParties'),
    submissions: part('submissions'),
    tail: part('tail'),
    network: part('network'),
    inTransit: part('inTransit'),
    automation: part('automation'),
    control: part('control'),
    faults: part('faults'),
    refusals: part('refusals'),
    moments: part('moments'),
    tokenClock: part('tokenClock'),
    ending: part('ending'),
    own(make) {
      const values = new WeakMap<World, ReturnType<typeof make>>();
      return () => {
        const { world } = current;
        const value = values.get(world) ?? make();
        values.set(world, value);
        return value;
      };
    },
  };
}

type ObjectPart = Exclude<keyof World, 'state' | 'startedAt' | 'now' | 'salt'>;

function delegate<Part extends object>(current: () => Part): Part {
  // Cast: the proxy has every property of the part, and none of its own.
  return new Proxy({} as Part, {
    get(_, name) {
      const part = current();
      const value: unknown = Reflect.get(part, name, part);
      return typeof value === 'function' ? value.bind(part) : value;
    },
    has: (_, name) => Reflect.has(current(), name),
  });
}
