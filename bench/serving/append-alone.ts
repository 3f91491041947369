import { rmSync } from 'node:fs';
import type { Update } from '@coinlab/core';
import { openFileStore } from '@coinlab/store';

/**
 * The reference of H3: a store in a separate process appends the updates of a log in the groups that a server
 * wrote.
 * Arguments: folder of the log, folder to write to, group sizes, number of warm-up groups.
 */
const [from = '', to = '', sizes = '[]', warmUp = '0'] = process.argv.slice(2);
const groups = JSON.parse(sizes) as number[];
const updates: Update[] = [];
const source = await openFileStore({ folder: from, onUpdate: (update) => updates.push(update) });
if (!source.ok) throw new Error(JSON.stringify(source.error));
await source.value.close();
const target = await openFileStore({ folder: to });
if (!target.ok) throw new Error(JSON.stringify(target.error));
let at = 0;
let counted = 0;
let began = 0;
for (const [i, size] of groups.entries()) {
  if (i === Number(warmUp)) [began, counted] = [performance.now(), 0];
  const group = updates.slice(at, at + size);
  const appended = await target.value.append(at, group);
  if (!appended.ok) throw new Error(JSON.stringify(appended.error));
  at += group.length;
  counted += group.length;
}
const seconds = (performance.now() - began) / 1000;
await target.value.close();
rmSync(to, { recursive: true });
process.stdout.write(`${JSON.stringify({ updates: counted, seconds })}\n`);
