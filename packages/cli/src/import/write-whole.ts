import { PendingFile } from '@coinlab/sim/files';

export function writeWhole(name: string, pieces: Iterable<string>): void {
  const file = new PendingFile(name);
  try {
    for (const piece of pieces) file.write(Buffer.from(piece));
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}
