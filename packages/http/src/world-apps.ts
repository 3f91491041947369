import type { Context } from 'hono';
import { createApps, type AppNeeds, type Apps } from './app.js';
import { authenticator } from './gates/auth.js';
import type { LedgerView } from './history/ledger-view.js';
import { socketOpener } from './apis/ledger/open-socket.js';
import { decoded, pathInWorld } from './worlds/world-path.js';
import { CurrentWorld, partsOf, type World } from './worlds/world.js';

export type AppSettings = Omit<AppNeeds, keyof World | 'own' | 'world' | 'authenticate' | 'enter'>;

/**
 * Requests of other worlds are answered by a second set of the same apps, which is made for the first such request and looks up
 * its world at each use.
 */
export function appsOfWorlds(live: World, settings: AppSettings): Apps {
  const current = new CurrentWorld();
  let others: Apps | null = null;
  const enter = (world: World, path: string, c: Context): Response | Promise<Response> => {
    others ??= createApps(
      needsOf(partsOf(current), () => current.world),
      () => current.path,
    );
    const { passOn } = others;
    return current.run({ world, path }, () => passOn(c.req.raw, c.env));
  };
  const needsOf = (parts: World & Pick<LedgerView, 'own'>, world: () => World): AppNeeds => {
    const authenticate = authenticator(
      settings,
      {
        get state() {
          return parts.state;
        },
        clock: parts.tokenClock,
      },
      settings.logger,
    );
    return over(parts, { ...settings, world, authenticate, enter });
  };
  const own: LedgerView['own'] = (make) => {
    const value = make();
    return () => value;
  };
  const appsOf = (world: World): AppNeeds => needsOf(over(world, { own }), () => world);
  const apps = createApps(appsOf(live));
  return {
    ...apps,
    // A stream outlives its handshake, so it has the parts of its world for good.
    async openSocket(handshake) {
      const { world, path } = await worldAt(handshake.path, live, settings);
      return world === live ? apps.openSocket(handshake) : socketOpener(appsOf(world))({ ...handshake, path });
    },
  };
}

const STEP = /^\/+(?:api\/(?:scan|validator)\/)?(dev\/at|fork)\/([^/]+)\//;

async function worldAt(
  path: string,
  world: World,
  settings: Pick<AppSettings, 'config' | 'forks'>,
): Promise<{ readonly world: World; readonly path: string }> {
  const [, kind, name] = STEP.exec(path) ?? [];
  if (!settings.config.dev || name === undefined) return { world, path };
  if (kind !== 'fork') return worldAt(pathInWorld(path), await world.moments.at(decoded(name)), settings);
  world.host.requireWritable();
  const fork = settings.forks.get(name);
  await fork.ready();
  return worldAt(pathInWorld(path), fork.world, settings);
}

/** Does not copy the object's own properties, which may be getters. */
function over<Base extends object, Added extends object>(base: Base, added: Added): Base & Added {
  // Cast: Object.create has no type.
  return Object.assign(Object.create(base) as Base, added);
}
