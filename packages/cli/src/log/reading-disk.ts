import { nodeDisk, type Disk } from '@coinlab/store';

/** A disk that is only looked at: a torn tail is told and stays. Who has the log open is not disturbed. */
export const READING: Disk = {
  ...nodeDisk,
  makeFolder: async () => undefined,
  identity: async (folder) => `${await nodeDisk.identity(folder)}-read-${process.pid}-${performance.now()}`,
  rename: done,
  remove: done,
  syncFolder: done,
  open: async () => ({ write: refuse, truncate: done, sync: done, close: done }),
};

async function done(): Promise<void> {
  // Nothing to do to a file that is only read.
}

async function refuse(): Promise<never> {
  throw new Error('the log is open to be read');
}
