import { Instant } from '@coinlab/core';
import type { History } from './history.js';
import type { LogHeads } from './log-heads.js';
import type { CreationIndex } from '../server-context.js';

/** When and by which update each contract came to be, whatever became of it. */
export function creationIndex(heads: LogHeads, history: Pick<History, 'idAt'>): CreationIndex {
  return {
    timeOf(contract) {
      const offset = heads.offsetCreating(contract);
      return offset === null ? Instant.earliest : heads.timeAt(offset);
    },
    updateOf(contract) {
      const offset = heads.offsetCreating(contract);
      return offset === null ? { offset: 0, updateId: '' } : { offset, updateId: history.idAt(offset) };
    },
  };
}
