/**
 * The four HTTP APIs of the network over a ledger, thin: parse, ask the core, print.
 * @module
 */
export { BadSettings, createServer, type CoinlabServer, type Recovered, type ServerPorts } from './create-server.js';
export type { HostedUser } from './simulated-users.js';
export { httpSystem, type Ask } from './dev-system.js';
export { listen, type ListeningServer, type ListenOptions } from './node-server.js';
export { DEV_USERS } from './founding.js';
export { parseServerConfig, serverConfigSchema, type ServerConfig, type ServerConfigInput } from './config.js';
export { Host, type HostWatch, type LogPort, type LogRefusal, type Refusal } from './host.js';
export { jsonLog, LOG_LEVELS, type LogLevel } from './json-log.js';
export { keepSnapshots, type SnapshotKeeper } from './keep-snapshots.js';
export { LogHeads } from './log-heads.js';
export type { Logger } from './logger.js';
export { payloadOf, type Payload } from './wire/payloads.js';
export {
  isOfNetwork,
  symbolicIdOf,
  templateIdOf,
  wantedTemplate,
  type NetworkContract,
  type NetworkTemplate,
  type WantedTemplate,
} from './wire/templates.js';
