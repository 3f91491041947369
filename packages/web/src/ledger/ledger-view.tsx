import { useEffect } from 'preact/hooks';
import type { JSX } from 'preact';
import { shownPart, Tabs, tabsOf } from '../parts/tabs.js';
import { isDev } from '../store/live.js';
import { log } from '../store/log.js';
import { Contracts } from './contracts.js';
import { LifeView } from './life/life-view.js';
import { LogState } from './log-state.js';
import { Updates } from './updates.js';

const PARTS = {
  '': { title: 'Contracts', View: Contracts },
  updates: { title: 'Updates', View: Updates },
  life: { title: 'Life of a coin', View: LifeView },
} as const;

const TABS = tabsOf('ledger', PARTS);

export function LedgerView(): JSX.Element {
  useEffect(() => log.follow(), []);
  if (isDev.value === false) return <LogState />;
  const { title, View } = shownPart(PARTS);
  return (
    <>
      <Tabs label="Ledger" tabs={TABS} current={title} />
      <h1 class="hidden">Ledger: {title}</h1>
      <LogState />
      <View />
    </>
  );
}
