import { Instant, type Amount, type PartyId, type Rejection } from '@coinlab/core';
import { setMaxListeners } from 'node:events';
import type { ServerConfig } from '../config.js';
import { followHistory } from '../network/follow-history.js';
import { clockOf } from '../host/clock.js';
import { Host } from '../host/host.js';
import type { Peer } from '../host/hosted-parties.js';
import { driveAutomation } from '../network/automation-driver.js';
import { countedTraffic } from '../network/counted-traffic.js';
import type { Beginning, Fork } from './forks.js';
import { liveWorld } from './live-world.js';

export interface ForkSettings {
  readonly config: ServerConfig;
  readonly peers: readonly Peer[];
  readonly salts: () => () => string;
  readonly readTransaction: NonNullable<ConstructorParameters<typeof Host>[0]['readTransaction']>;
  readonly ending: AbortSignal;
  readonly onFault: (what: string, error: unknown) => void;
  readonly onRefused: (habit: string, command: string, rejection: Rejection) => void;
  readonly onLackingCoin: (validator: PartyId, price: Amount) => void;
}

export function openFork(
  { source, state, time }: Beginning,
  settings: ForkSettings,
): Pick<Fork, 'world' | 'ready' | 'close'> {
  const { config, peers, readTransaction, onFault, onRefused, onLackingCoin } = settings;
  const closing = new AbortController();
  const ending = closing.signal;
  setMaxListeners(0, ending);
  // Node keeps a signal of `AbortSignal.any` in memory while it has listeners, also after its end.
  const end = (): void => closing.abort();
  if (settings.ending.aborted) end();
  settings.ending.addEventListener('abort', end, { once: true });
  const clock = clockOf({ clock: config.clock, startsAt: Instant.format(time) }, null);
  const host = new Host({ clock, log: null, state, readTransaction });
  const { heads, before } = source.history.beginning(state.offset);
  const indexes = followHistory(host, { heads, lineAt: null, before });
  if (config.traffic === 'counted') host.chargeTraffic(countedTraffic(peers, config));
  const automation = driveAutomation({ host, config, peers, onFault, onRefused, onLackingCoin });
  return {
    world: liveWorld({ host, automation, clock, indexes, salt: settings.salts(), ending, log: null }),
    ready: async () => {
      if (indexes.follower.isFarBehind) await indexes.follower.readBehind(ending);
    },
    close() {
      settings.ending.removeEventListener('abort', end);
      end();
      automation.stop();
      void host.close();
    },
  };
}
