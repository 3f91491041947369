import type { Configured } from '../../config.js';
import type { Register } from '../../request.js';
import { registerAutomation, type AutomationNeeds } from './automation.js';
import { registerControl, type ControlNeeds } from './control.js';
import { registerEvents, type EventsNeeds } from './events.js';
import { registerFaults, type FaultsNeeds } from './faults.js';
import { registerForks, type ForksNeeds } from './forks.js';
import { registerMoments, type MomentsNeeds } from './moments.js';
import { registerReassign, type ReassignNeeds } from './reassign.js';
import { registerRefused, type RefusedNeeds } from './refused.js';
import { registerSnapshots, type SnapshotsNeeds } from './snapshots.js';
import { registerDevUsers, type DevUsersNeeds } from './users.js';

export type DevNeeds = AutomationNeeds &
  ControlNeeds &
  EventsNeeds &
  FaultsNeeds &
  ForksNeeds &
  MomentsNeeds &
  ReassignNeeds &
  RefusedNeeds &
  SnapshotsNeeds &
  DevUsersNeeds &
  Configured<'dev'>;

export const registerDev: Register<DevNeeds> = (api, server) => {
  if (!server.config.dev) return;
  for (const register of [
    registerEvents,
    registerAutomation,
    registerControl,
    registerFaults,
    registerForks,
    registerMoments,
    registerReassign,
    registerRefused,
    registerSnapshots,
    registerDevUsers,
  ])
    register(api, server);
};
