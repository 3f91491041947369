import { basename, extname } from 'node:path';
import { Amount } from '@coinlab/core';
import {
  csvRow,
  FUNDINGS,
  importPayments,
  networkLines,
  parseMap,
  type DateOrder,
  type DecimalSign,
  type Imported,
  type ImportOptions,
} from '@coinlab/lab';
import { PendingFile } from '@coinlab/sim/files';
import { BadInput } from '../exit-code.js';
import { requireOutFile } from '../out-folder.js';
import type { Terminal } from '../terminal.js';
import { importText } from './import-text.js';
import { writeWhole } from './write-whole.js';

export interface ImportFlags {
  readonly map?: string;
  readonly unit: string;
  readonly decimal: DecimalSign;
  readonly zone: string;
  readonly dates?: DateOrder;
  readonly openings: string;
  readonly round: number;
  readonly outside?: string;
  readonly out?: string;
  readonly overwrite?: true;
  readonly json?: true;
}

interface Targets {
  readonly out: string;
  readonly parties: string;
  readonly rejects: string;
}

export async function importCommand(file: string, flags: ImportFlags, terminal: Terminal): Promise<void> {
  const began = performance.now();
  const targets = targetsOf(flags.out ?? `${stemOf(basename(file))}.trace.csv`);
  for (const target of Object.values(targets)) requireOutFile('--out', target, { overwrite: flags.overwrite });
  const rejects = new PendingFile(targets.rejects);
  let faults = 0;
  rejects.write(Buffer.from('line,field,value,reason\n'));
  const onReject: ImportOptions['onReject'] = ({ line, field, value, reason }) => {
    faults += 1;
    rejects.write(Buffer.from(csvRow([String(line), field, value, reason])));
  };
  try {
    const imported = await importPayments(file, { ...optionsOf(flags), onReject });
    if (!imported.ok) throw new BadInput(imported.error);
    writeTrace(imported.value, targets);
    if (faults > 0) rejects.commit();
    else rejects.discard();
    terminal.out(textOf(file, imported.value, targets, flags));
    const { rows } = imported.value.summary;
    const seconds = (performance.now() - began) / 1000;
    if (!flags.json)
      terminal.err(`${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows a second\n`);
  } catch (error) {
    rejects.discard();
    throw error;
  }
}

function optionsOf({ map: given, openings, outside, round, ...others }: ImportFlags): ImportOptions {
  const map = given === undefined ? null : parseMap(given);
  if (map?.ok === false) throw new BadInput(`--map: ${map.error}`);
  const { unit, decimal, zone, dates } = others;
  return {
    ...(map && { map: map.value }),
    unit,
    decimal,
    zone,
    ...(dates && { dates }),
    openings: FUNDINGS.find((name) => name === openings) ?? { file: openings },
    roundMinutes: round,
    ...(outside !== undefined && { outside: outside.split(',') }),
  };
}

function targetsOf(out: string): Targets {
  const stem = stemOf(out);
  return { out, parties: `${stem}.parties.csv`, rejects: `${stem}.rejects.csv` };
}

function stemOf(file: string): string {
  return file.slice(0, file.length - extname(file).length);
}

function writeTrace({ lines, parties, names }: Imported, targets: Targets): void {
  writeWhole(targets.out, networkLines(lines()));
  const named = parties.map((party, i) => csvRow([party, names[i] ?? party]));
  writeWhole(targets.parties, ['party,name\n', ...named]);
}

function textOf(file: string, imported: Imported, targets: Targets, flags: ImportFlags): string {
  if (!flags.json) return importText(file, imported, { ...targets, ...flags });
  const json = { file, ...imported.summary, out: targets.out };
  return `${JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? Amount.format(Amount.ofUnits(value)) : value))}\n`;
}
