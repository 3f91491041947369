/**
 * Event stores: the interface, a memory store, a durable file log, a log in PostgreSQL, and a conformance suite for stores.
 * @module
 */
export { conformance, type Demand, type StorePlace } from './conformance.js';
export { nodeDisk, type Disk, type DiskFile } from './disk.js';
export { openFileStore, type FileStoreOptions } from './file-store.js';
export { memoryStore } from './memory-store.js';
export {
  DamagedLog,
  type Damage,
  type EventStore,
  type Head,
  type LockOwner,
  type Mark,
  type Recovery,
  type RevertibleStore,
  type StoreRefusal,
} from './port.js';
export { isPostgresAddress, parsePostgresAddress, type PostgresAddress } from './postgres/address.js';
export { openPostgresStore } from './postgres/postgres-store.js';
export { readPostgresLog, type ReadPostgresOptions } from './postgres/read-postgres.js';
export { ConnectionLost, Session, StatementFailed, type SessionOptions } from './postgres/session.js';
export type { LogFollower, PostgresStoreOptions, SharedStore } from './postgres/shared-store.js';
export { type StoredSnapshot } from './postgres/snapshot-rows.js';
export { readLog, type ReadLogOptions } from './read-log.js';
export { NO_HASH } from './record.js';
export { repairLog, type Repair } from './repair.js';
export { fingerprintOf, readSnapshot, snapshotNames, type Snapshot } from './snapshot-file.js';
