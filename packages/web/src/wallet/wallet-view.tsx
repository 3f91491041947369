import type { JSX } from 'preact';
import { Empty } from '../parts/states.js';
import { shownPart, Tabs, tabsOf } from '../parts/tabs.js';
import { onboard, session } from '../store/session.js';
import { Coins } from './coins.js';
import { Delegations } from './delegations.js';
import { History } from './history.js';
import { Offers } from './offers.js';
import { Overview } from './overview.js';
import { Send } from './send.js';
import { Traffic } from './traffic.js';
import { UserChooser } from './user-chooser.js';

const PARTS = {
  '': { title: 'Overview', View: Overview },
  send: { title: 'Send', View: Send },
  offers: { title: 'Offers', View: Offers },
  coins: { title: 'Coins', View: Coins },
  history: { title: 'History', View: History },
  traffic: { title: 'Traffic', View: Traffic },
  delegations: { title: 'Delegations', View: Delegations },
} as const;

const TABS = tabsOf('wallet', PARTS);

export function WalletView(): JSX.Element {
  const user = session.value;
  if (user === null) return <UserChooser />;
  if (user.party === null) return <NotOnboarded user={user.user} />;
  const { title, View } = shownPart(PARTS);
  return (
    <>
      <Tabs label="Wallet" tabs={TABS} current={title} />
      <h1 class="hidden">
        Wallet of {user.user}: {title}
      </h1>
      <View key={user.party} party={user.party} token={user.token} />
    </>
  );
}

function NotOnboarded({ user }: { readonly user: string }): JSX.Element {
  return (
    <Empty title={`${user} has no wallet yet`}>
      <p>Onboarding allocates a party for the user and installs a wallet at this validator.</p>
      <button type="button" class="main" onClick={() => void onboard()}>
        Onboard {user}
      </button>
    </Empty>
  );
}
