import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import { registerControl, type ControlNeeds } from './control.js';
import { registerEvents, type EventsNeeds } from './events.js';
import { registerFaults, type FaultsNeeds } from './faults.js';

/** What the routes for tests need of a server. */
export type DevNeeds = ControlNeeds & EventsNeeds & FaultsNeeds & Configured<'dev'>;

/**
 * For tests of those who build on the network. Served only by a server that was started with `dev`, and to everybody who can reach it.
 */
export const registerDev: Register<DevNeeds> = (api, server) => {
  if (!server.config.dev) return;
  for (const register of [registerControl, registerEvents, registerFaults]) register(api, server);
};
