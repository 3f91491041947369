import { parentPort, workerData } from 'node:worker_threads';
import { blockingDisk } from './blocking-disk.js';
import { LogFiles, type LogFilesOptions } from './log-files.js';
import type { Answered, Asked } from './log-thread.js';

// The program of the thread that writes a busy log. `LogThread` starts it with the options as `workerData`.
const files = new LogFiles(blockingDisk, workerData as LogFilesOptions);
parentPort?.on('message', (asked: Asked) => {
  const answer: Promise<Answered> =
    asked === 'close'
      ? files.close().then((): Answered => 'closed')
      : files.append(asked.expected, asked.lines === '' ? [] : asked.lines.split('\n'));
  void answer.then((told) => parentPort?.postMessage(told));
});
