import { parentPort, workerData } from 'node:worker_threads';
import { blockingDisk } from './blocking-disk.js';
import { LogFiles, type LogFilesOptions } from './log-files.js';
import type { Answered, Asked } from './log-thread.js';

// What a thread runs that does nothing but write one log. It has its options from whoever started it.
// `LogThread` starts this program with them.
const files = new LogFiles(blockingDisk, workerData as LogFilesOptions);
parentPort?.on('message', (asked: Asked) => {
  const answer: Promise<Answered> =
    asked === 'close'
      ? files.close().then((): Answered => 'closed')
      : files.append(asked.expected, asked.lines === '' ? [] : asked.lines.split('\n'));
  void answer.then((told) => parentPort?.postMessage(told));
});
