import { join } from 'node:path';
import { replaceFile, type Disk } from './disk.js';
import type { Head, Mark } from './port.js';

const MARKS_FILE = 'marks.json';

type SealedMark = Mark & Pick<Head, 'hash'>;

/**
 * Marks whose record the log does not have are ignored with a note.
 * @param hashAt null beyond the head
 */
export async function readMarks(
  disk: Disk,
  folder: string,
  hashAt: (offset: number) => string | null,
  onNote: (note: string) => void,
): Promise<readonly Mark[]> {
  const bytes = await disk.read(join(folder, MARKS_FILE));
  if (!bytes) return [];
  const marks = parsed(Buffer.from(bytes).toString('utf8'));
  if (!marks) {
    onNote(`ignored ${MARKS_FILE}: not of the form [{"name":…,"offset":…,"hash":…}]`);
    return [];
  }
  const known = marks.filter(({ offset, hash }) => hashAt(offset) === hash);
  if (known.length < marks.length)
    onNote(`ignored ${marks.length - known.length} marks of ${MARKS_FILE}: the log has no such record`);
  return known.map(({ name, offset }) => ({ name, offset }));
}

export async function writeMarks(disk: Disk, folder: string, marks: readonly SealedMark[]): Promise<void> {
  await replaceFile(disk, join(folder, MARKS_FILE), Buffer.from(`${JSON.stringify(marks)}\n`, 'utf8'));
  await disk.syncFolder(folder);
}

export function beyondHead(offset: number, head: number): RangeError {
  return new RangeError(`offset ${offset} is beyond the head ${head} of the log`);
}

function parsed(text: string): readonly SealedMark[] | null {
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) && json.every(isSealedMark) ? json : null;
  } catch {
    return null;
  }
}

function isSealedMark(one: unknown): one is SealedMark {
  if (typeof one !== 'object' || one === null) return false;
  const { name, offset, hash } = { name: null, offset: null, hash: null, ...one };
  return typeof name === 'string' && Number.isSafeInteger(offset) && typeof hash === 'string';
}
