import { repairLog, type Repair } from '@coinlab/store';
import { BadInput } from '../exit-code.js';
import { grouped } from '../table.js';
import type { Terminal } from '../terminal.js';
import { describeStoreRefusal, refuseFile } from './log-command.js';

export async function logRepairCommand(folder: string, out: string, terminal: Terminal): Promise<void> {
  refuseFile(folder);
  const repaired = await repairLog(folder, out);
  if (!repaired.ok) throw new BadInput(describeStoreRefusal(repaired.error, folder));
  terminal.out(`${[...reportOf(repaired.value), `written to ${out}`].join('\n')}\n`);
}

function reportOf({ damages, acknowledged, kept, unusable, snapshots }: Repair): readonly string[] {
  const lines = damages.map(
    ({ file, byte, offset, reason }) => `damaged: ${file} at byte ${byte}, offset ${offset}: ${reason}`,
  );
  if (lines.length === 0) lines.push('no damage');
  if (acknowledged === null)
    lines.push('lost: unknown, because head.json does not say how far the log was acknowledged');
  else if (acknowledged > kept.offset) lines.push(`lost: acknowledged offsets ${kept.offset + 1} to ${acknowledged}`);
  else lines.push('lost: no acknowledged update');
  if (unusable > 0)
    lines.push(`unusable: ${grouped(unusable)} intact records after the damage, because they follow from lost ones`);
  lines.push(`kept: ${grouped(kept.offset)} updates and ${snapshots.length} snapshots, head ${kept.hash}`);
  return lines;
}
