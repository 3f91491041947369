import type { JSX } from 'preact';
import { Empty } from '../parts/states.js';
import { shownPart, Tabs, tabsOf } from '../parts/tabs.js';
import { isDev } from '../store/live.js';
import { AutomationSettings } from './automation.js';
import { Faults } from './faults.js';
import { Forks } from './forks.js';
import { Refusals } from './refusals.js';
import { Time } from './time.js';

const PARTS = {
  '': { title: 'Time and snapshots', View: Time },
  forks: { title: 'Forks', View: Forks },
  automation: { title: 'Automation', View: AutomationSettings },
  faults: { title: 'Faults', View: Faults },
  refusals: { title: 'Refusals', View: Refusals },
} as const;

const TABS = tabsOf('server', PARTS);

export function ServerView(): JSX.Element {
  if (isDev.value === false)
    return (
      <Empty title="Only a development server has controls">
        <p>
          Start one with <code>npm start -- serve --dev</code>.
        </p>
      </Empty>
    );
  const { title, View } = shownPart(PARTS);
  return (
    <>
      <Tabs label="Server" tabs={TABS} current={title} />
      <h1 class="hidden">Server: {title}</h1>
      <View />
    </>
  );
}
