import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Cast: the flag defines the function.
export const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Bytes that are reachable, with the shared memory of tables, which `external` does not count. Array buffers are released some
 * time after a collection.
 */
export async function memoryInUse(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
