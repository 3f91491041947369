import type { JSX } from 'preact';
import { shownPart, Tabs, tabsOf } from '../parts/tabs.js';
import { CoinMap } from './coin-map.js';
import { Parties } from './parties.js';
import { Rounds } from './rounds.js';
import { Rules } from './rules.js';
import { Validators } from './validators.js';

const PARTS = {
  '': { title: 'Rounds', View: Rounds },
  rules: { title: 'Rules and votes', View: Rules },
  validators: { title: 'Validators', View: Validators },
  parties: { title: 'Parties', View: Parties },
  coins: { title: 'Coins', View: CoinMap },
} as const;

const TABS = tabsOf('network', PARTS);

export function NetworkView(): JSX.Element {
  const { title, View } = shownPart(PARTS);
  return (
    <>
      <Tabs label="Network" tabs={TABS} current={title} />
      <h1 class="hidden">Network: {title}</h1>
      <View />
    </>
  );
}
