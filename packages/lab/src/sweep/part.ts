import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '@coinlab/sim';
import { PendingFile } from '@coinlab/sim/files';
import type { Settings } from './design.js';
import { sha256 } from './identity.js';
import type { KeptMetric } from './kept-metrics.js';
import type { Kept, Payments } from './play.js';
import type { Sweep } from './sweep.js';
import type { SweepFile } from './schema.js';
import { partsOf, type Shard } from './shard.js';

export interface Heading {
  readonly coinlab: string;
  readonly sweep: string;
  readonly file: string;
  readonly flags?: string;
  readonly definition: Omit<SweepFile, 'scenario'>;
  readonly metrics: readonly KeptMetric[];
  readonly objectives: readonly string[];
  readonly points: number;
}

export interface RunRow {
  readonly run: number;
  readonly settings: Settings;
  readonly values: readonly Kept[] | null;
  readonly payments: Payments | null;
  readonly error: string | null;
}

/** One file of a shard: the sweep's header and the rows of some runs. */
export interface Part {
  readonly name: string;
  readonly heading: Heading;
  readonly shard: Shard;
  readonly part: number;
  readonly rows: readonly RunRow[];
}

/** Thrown when parts do not form a sweep. The message names the parts and the reason. */
export class PartsFault extends Error {
  override readonly name = 'PartsFault';
}

export function headingOf({ definition, file, flags, metrics, objectives, points, hash }: Sweep): Heading {
  const { scenario: _, ...rest } = definition;
  return {
    coinlab: VERSION,
    sweep: hash,
    file,
    ...(flags !== '' && { flags }),
    definition: rest,
    metrics,
    objectives,
    points: points.length,
  };
}

export function partName(sweep: string, { index, of }: Shard, part: number): string {
  return `${sweep.slice(0, 12)}-shard-${index}-of-${of}-part-${part + 1}.jsonl`;
}

export function partText(heading: Heading, shard: Shard, part: number, rows: readonly RunRow[]): string {
  const body = `${[{ ...heading, shard, part }, ...rows].map((line) => JSON.stringify(line)).join('\n')}\n`;
  return `${body}${JSON.stringify({ rows: rows.length, sha256: sha256(body) })}\n`;
}

export function writePart(folder: string, heading: Heading, shard: Shard, part: number, rows: readonly RunRow[]): void {
  const file = new PendingFile(join(folder, partName(heading.sweep, shard, part)));
  try {
    file.write(Buffer.from(partText(heading, shard, part, rows)));
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Reads the parts in a folder, by name. Throws a {@link PartsFault} when one is damaged. */
export function readParts(folder: string): readonly Part[] {
  return partNames(folder).map((name) => {
    const part = readPart(folder, name);
    if (!part) throw new PartsFault(`${name}: is damaged or incomplete; remove it and run its shard again`);
    return part;
  });
}

export function partNames(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /-shard-\d+-of-\d+-part-\d+.*\.jsonl$/.test(name))
    .sort();
}

export function readPart(folder: string, name: string): Part | null {
  return partIn(name, readFileSync(join(folder, name), 'utf8'));
}

export function partIn(name: string, text: string): Part | null {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const body = text.slice(0, end);
  try {
    // Each field is compared with its expected value.
    const last = JSON.parse(text.slice(end)) as { readonly rows?: number; readonly sha256?: string };
    const [first = '', ...lines] = body.split('\n').slice(0, -1);
    if (last.sha256 !== sha256(body) || last.rows !== lines.length) return null;
    // The hash proves that `writePart` wrote these lines.
    const { shard, part, ...heading } = JSON.parse(first) as Heading & Pick<Part, 'shard' | 'part'>;
    const rows = lines.map((line) => JSON.parse(line) as RunRow); // As above.
    return { name, heading, shard, part, rows };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function wholeOf(parts: readonly Part[]): { readonly heading: Heading; readonly rows: readonly RunRow[] } {
  const [first] = parts;
  if (!first) throw new PartsFault('the folder has no parts of a sweep');
  const stranger = parts.find(({ heading }) => heading.sweep !== first.heading.sweep);
  if (stranger)
    throw new PartsFault(
      `the parts belong to two sweeps: ${first.name} and ${stranger.name}; a file, the scenario or the version changed between them`,
    );
  const { heading } = first;
  const rows: (RunRow | undefined)[] = Array.from({ length: heading.points * heading.definition.replicates });
  const from: string[] = [];
  for (const { name, rows: own } of parts)
    for (const row of own) {
      if (!(row.run < rows.length))
        throw new PartsFault(`${name}: has run ${row.run}, but the sweep has only ${rows.length} runs`);
      if (rows[row.run])
        throw new PartsFault(`${runText(heading, row.run)} is duplicated: it is in ${from[row.run]} and ${name}`);
      rows[row.run] = row;
      from[row.run] = name;
    }
  const whole = rows.filter((row) => row !== undefined);
  if (whole.length < rows.length) throw new PartsFault(missingText(parts, heading, rows));
  return { heading, rows: whole };
}

function missingText(parts: readonly Part[], heading: Heading, rows: readonly (RunRow | undefined)[]): string {
  const missing = rows.flatMap((row, run) => (row ? [] : [run]));
  const of = parts[0]?.shard.of ?? 1;
  const listed = (names: readonly string[]): string =>
    `${names.slice(0, 8).join(', ')}${names.length > 8 ? ` and ${names.length - 8} more` : ''}`;
  if (parts.some(({ shard }) => shard.of !== of))
    return `${missing.length} runs are missing: ${listed(missing.map((run) => runText(heading, run)))}`;
  const absent: string[] = [];
  for (let index = 1; index <= of; index++) {
    const own = partsOf(rows.length, { index, of });
    const gone = own.flatMap((runs, part) => (runs.some((run) => !rows[run]) ? [part + 1] : []));
    if (gone.length === own.length && gone.length > 0) absent.push(`shard ${index}/${of}`);
    else absent.push(...gone.map((part) => `part ${part} of ${own.length} of shard ${index}/${of}`));
  }
  return `${missing.length} of ${rows.length} runs are missing: ${listed(absent)}`;
}

export function runText({ definition }: Pick<Heading, 'definition'>, run: number): string {
  return `point ${Math.floor(run / definition.replicates) + 1}, replicate ${run % definition.replicates}`;
}
