import { Engine } from '@coinlab/core';
import { LogHeads, type ServerPorts } from '@coinlab/http';
import { openFileStore } from '@coinlab/store';

/** Opens the log in a folder, as `coinlab serve --data` does, with the state after its last update. */
export async function stored(folder: string): Promise<ServerPorts> {
  const engine = new Engine();
  const heads = new LogHeads();
  const opened = await openFileStore({
    folder,
    onHead: (head) => heads.add(head),
    onUpdate: (update) => engine.apply(update),
  });
  if (!opened.ok) throw new Error(opened.error.code);
  const log = opened.value;
  return heads.count === 0 ? { log } : { log, recovered: { state: engine.snapshot(), heads } };
}
