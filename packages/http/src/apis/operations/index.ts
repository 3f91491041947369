import type { Register } from '../../request.js';
import { registerDocs } from './docs.js';
import { registerHealth, type HealthNeeds } from './health.js';
import { registerLog, type LogNeeds } from './log.js';
import { registerMetrics, type MetricsNeeds } from './metrics.js';
import { registerOpenapi } from './openapi.js';
import { registerPage } from './page.js';
import { registerStatus, type StatusNeeds } from './status.js';
import type { Configured } from '../../config.js';

export type OperationsNeeds = HealthNeeds & LogNeeds & MetricsNeeds & StatusNeeds & Configured<'dev' | 'release'>;

export const registerOperations: Register<OperationsNeeds> = (api, server) => {
  for (const register of [
    registerPage,
    registerOpenapi,
    registerHealth,
    registerMetrics,
    registerDocs,
    registerStatus,
    registerLog,
  ])
    register(api, server);
};
