/**
 * Where logs are kept: the port, a memory store, a durable file log, and the suite that any store must pass.
 * @module
 */
export { conformance, type Demand, type StorePlace } from './conformance.js';
export { nodeDisk, type Disk, type DiskFile } from './disk.js';
export { openFileStore, type FileStoreOptions } from './file-store.js';
export { memoryStore } from './memory-store.js';
export type { Damage, EventStore, Head, Recovery, StoreRefusal } from './port.js';
export { NO_HASH } from './record.js';
export { fingerprintOf, readSnapshot, snapshotNames, type Snapshot } from './snapshot-file.js';
