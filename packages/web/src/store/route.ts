import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';

/*
 * The address of the page: `#/VIEW/PART?NAME=VALUE`. It holds everything that a colleague needs to see the same, except tokens.
 */

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

const parsed = computed(() => {
  const [path = '', query = ''] = hash.value.replace(/^#?\/?/, '').split('?', 2);
  return { segments: path.split('/').map(decoded), query: new URLSearchParams(query) };
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const view: ReadonlySignal<string> = computed(() => parsed.value.segments[0] || 'wallet');

export const part: ReadonlySignal<string> = computed(() => parsed.value.segments[1] ?? '');

export function param(name: string): string | null {
  return parsed.value.query.get(name);
}

export function linkTo(path: string, changes: Readonly<Record<string, string | null>> = {}): string {
  const at = moment.value === null ? null : String(moment.value);
  // The hash in the address is of the moment in the address, which follows the slider with a delay.
  const kept = { user: param('user'), at, log: at === param('at') ? param('log') : null };
  return addressOf(path, { ...kept, ...changes });
}

export function setParams(changes: Readonly<Record<string, string | null>>): void {
  // A link was followed whose event has not arrived yet: the old view must not come back.
  hash.value = location.hash;
  const path = parsed.peek().segments.join('/');
  const address = addressOf(path, { ...Object.fromEntries(parsed.peek().query), ...changes });
  if (address === location.hash) return;
  history.replaceState(null, '', address);
  hash.value = address;
}

function addressOf(path: string, params: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const query = new URLSearchParams(given).toString();
  return `#/${path}${query === '' ? '' : `?${query}`}`;
}

/** Null: the newest offset. */
export const moment = signal<number | null>(momentIn(param('at')));

function momentIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Browsers limit how often a page changes the address. */
const ADDRESS_MILLIS = 250;
let pending: ReturnType<typeof setTimeout> | undefined;
let written: number | null = moment.peek();

effect(() => {
  if (moment.value === written) return;
  pending ??= setTimeout(() => {
    pending = undefined;
    const at = moment.peek();
    if (at === written) return;
    written = at;
    setParams({ at: at === null ? null : String(at), log: null });
  }, ADDRESS_MILLIS);
});

effect(() => {
  const at = momentIn(param('at'));
  if (at === written) return;
  written = at;
  batch(() => {
    moment.value = at;
  });
});
