import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedPage } from '@coinlab/lab';
import { BadInput, messageOf } from '../exit-code.js';

const PAGE_SIZE = 1000;

export interface PageFlags {
  readonly since?: string;
  readonly migration: number;
  readonly maxPages: number;
  readonly savePages?: string;
}

export async function pagesOf(sources: readonly string[], flags: PageFlags): Promise<readonly NamedPage[]> {
  const pages: NamedPage[] = [];
  for (const source of sources)
    if (/^https?:/i.test(source)) pages.push(...(await pagesAt(source, flags)));
    else pages.push({ name: source, page: pageIn(source) });
  return pages;
}

function pageIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new BadInput(`${file}: ${messageOf(error)}`);
  }
}

async function pagesAt(
  url: string,
  { since, migration, maxPages, savePages }: PageFlags,
): Promise<readonly NamedPage[]> {
  const pages: NamedPage[] = [];
  let after: object | null = since === undefined ? null : { after_migration_id: migration, after_record_time: since };
  while (pages.length < maxPages) {
    const page = await requested(new URL('v2/updates', url.endsWith('/') ? url : `${url}/`), after);
    const last = lastOf(page);
    if (last === null) break;
    const name = `page-${String(pages.length + 1).padStart(6, '0')}.json`;
    if (savePages !== undefined) saved(savePages, name, page);
    pages.push({ name: `${url} ${name}`, page });
    if (last.count < PAGE_SIZE) break;
    after = last.after;
  }
  return pages;
}

async function requested(url: URL, after: object | null): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ page_size: PAGE_SIZE, ...(after && { after }) }),
    });
  } catch (error) {
    throw new BadInput(
      `${url.href}: ${error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error)}`,
    );
  }
  const text = await answer.text();
  if (answer.status !== 200) throw new BadInput(`${url.href}: answered ${answer.status}: ${text.slice(0, 500)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new BadInput(`${url.href}: answered no JSON: ${text.slice(0, 100)}`);
  }
}

function lastOf(page: unknown): { readonly count: number; readonly after: object } | null {
  // Read field by field; importUpdates checks the page.
  const { transactions } = page as { readonly transactions?: unknown };
  if (!Array.isArray(transactions) || transactions.length === 0) return null;
  const items: readonly unknown[] = transactions;
  const timed = items.findLast((item) => typeof item === 'object' && item !== null && 'migration_id' in item);
  // Found above.
  const { migration_id, record_time } = (timed ?? {}) as {
    readonly migration_id?: unknown;
    readonly record_time?: unknown;
  };
  return { count: items.length, after: { after_migration_id: migration_id, after_record_time: record_time } };
}

function saved(folder: string, name: string, page: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(page)}\n`);
}
