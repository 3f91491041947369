/**
 * The HTTP APIs of the network on a ledger: they parse requests, call the core and format responses.
 * @module
 */
export { createServer, type CoinlabServer, type ServerOptions, type ServerPorts } from './create-server.js';
export type { Recovered } from './history/recovered.js';
export type { HostedUser } from './network/simulated-users.js';
export { listen, openPort, type ListeningPort, type ListeningServer, type ListenOptions } from './node-server.js';
export {
  BadSettings,
  parseServerConfig,
  serverConfigSchema,
  type ServerConfig,
  type ServerConfigInput,
} from './config.js';
export { Host, HostUnavailable } from './host/host.js';
export type { HostWatch, LogFollower, LogMark, LogPort, LogRefusal } from './host/log-port.js';
export { jsonLog, LOG_LEVELS, type LogLevel } from './observe/json-log.js';
export { signToken, type TokenOptions } from './gates/own-tokens.js';
export { isLoopback } from './gates/allowed-hosts.js';
export { differenceToMachine } from './host/clock.js';
export { BadStart } from './network/start-fault.js';
export type { FieldFault } from './field-fault.js';
export { parseStart, withValidatorsOf } from './network/start-read.js';
export { startJsonSchema, type Start, type StartInput } from './network/start-schema.js';
export { LOCALNET } from './host/localnet.js';
export type { ValidatorServer } from './validator-apps.js';
export type { Address } from './host/addresses.js';
export { keepSnapshots, type SnapshotKeeper } from './host/keep-snapshots.js';
export { LogHeads } from './history/log-heads.js';
export type { Logger } from './observe/logger.js';
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
export { nearestTo } from '@coinlab/core/workflows';
export { CHOICES, CREATIONS, exerciseOf } from './wire/choices/table.js';
export type { Choice, Creation, Exercise, Exercised, LedgerFacts } from './wire/choices/choice.js';
export { ledgerErrorOf } from './gates/ledger/rejections.js';
export type { CantonError } from './wire/canton-error.js';
export { updateIdOf } from './wire/update-id.js';
