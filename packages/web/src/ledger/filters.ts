import { computed, type ReadonlySignal } from '@preact/signals';
import { log } from '../store/log.js';
import { isActiveAt, type LedgerContract, type Lived } from '../store/log-copy.js';
import { moment, param } from '../store/route.js';
import { partiesIn } from './contract-text.js';

export const shownOffset: ReadonlySignal<number> = computed(() => {
  const loaded = log.loaded.value;
  return Math.min(moment.value ?? loaded, loaded);
});

const template = computed(() => param('template') ?? '');
const party = computed(() => param('party') ?? '');
const text = computed(() => (param('text') ?? '').trim().toLowerCase());

const texts: WeakMap<LedgerContract, string> = new WeakMap();

function textOf(contract: LedgerContract): string {
  const known = texts.get(contract) ?? JSON.stringify(contract).toLowerCase();
  texts.set(contract, known);
  return known;
}

function matches({ contract }: Lived): boolean {
  if (text.value !== '' && !textOf(contract).includes(text.value)) return false;
  return (
    party.value === '' ||
    [...partiesIn(contract)].some((one) => one === party.value || one.startsWith(`${party.value}::`))
  );
}

const matching: ReadonlySignal<readonly Lived[]> = computed(() => {
  void log.loaded.value;
  return (template.value === '' ? log.lived : log.ofTemplate(template.value)).filter(matches);
});

export const shownContracts: ReadonlySignal<readonly Lived[]> = computed(() => {
  const at = shownOffset.value;
  return matching.value.filter((one) => isActiveAt(one, at) || one.gone === at).toReversed();
});

export const templates: ReadonlySignal<readonly string[]> = computed(() => {
  void log.loaded.value;
  return log.templates.toSorted();
});
