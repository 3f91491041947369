import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import { nodeDisk, openFile, type Disk } from './disk.js';

/** Use it only in a thread that has no other work. */
export const blockingDisk: Disk = {
  ...nodeDisk,
  async open(path) {
    const { file, descriptor } = openFile(path);
    return { ...file, sync: async () => fdatasyncSync(descriptor) };
  },
  async syncFolder(folder) {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};
